import type { AgentAdapter, CredentialSource } from '../adapters/adapter.ts'
import type { RunRequest } from '../config/request/request.ts'
import { defaultVolume } from '../credentials/volume/files.ts'
import type { CellCredential } from '../egress/placeholder/credential.ts'
import { PaddockError } from '../errors.ts'
import type { RunHost } from '../host.ts'
import { type BoundSecrets, boundSecrets } from './bound-secrets.ts'
import { type CellCredentials, type CredentialWishes, cellCredentials, credentialSource, refuseImpossible } from './cell-credentials.ts'
import { variablesOf } from './variables.ts'

/** An agent's variables, login and secrets. */
export interface Access {
  /** The variables that the request names. */
  readonly named: Readonly<Record<string, string>>
  /** The credential that the agent uses. Null if there is none. */
  readonly source: CredentialSource | null
  readonly wishes: CredentialWishes
  /** The agent's login, as text for people. Null if there is none. */
  readonly login: string | null
  /** The secrets that the request names. */
  readonly secrets: readonly CellCredential[]
  /** Creates new credentials for each cell. */
  forCell(): Promise<CellCredentials>
}

/**
 * Finds the variables, the login and the secrets of a request before anything starts.
 * @throws PaddockError for anything that is missing, not available, or cannot be kept out of the cell as requested
 */
export async function accessOf(request: RunRequest, adapter: AgentAdapter, host: RunHost): Promise<Access> {
  const named = variablesOf(request.env, host.env)
  const baseUrl = request.baseUrl?.value ?? null
  const bind = (): Promise<BoundSecrets> => boundSecrets(request.secrets, { adapter, baseUrl }, host.secrets)
  // The first cell uses the secrets that were read here, because the vault may have asked its user for them.
  let ready: BoundSecrets | null = await bind()
  const { credentials: secrets } = ready
  const bound = request.secrets.map((each) => each.name)
  const wishes: CredentialWishes = {
    mode: request.credentials?.mode ?? null,
    volume: request.credentials?.volume ?? null,
    login: request.login,
    env: { ...named, ...ready.env },
    bound,
    baseUrl,
    home: host.paths.userHome,
  }
  const source = await credentialSource(adapter, wishes, host.logins)
  refuseImpossible(adapter, wishes, source)
  return {
    named,
    source,
    wishes,
    login: loginText(adapter, source, wishes),
    secrets,
    async forCell() {
      const { env, credentials } = ready ?? (await bind())
      ready = null
      const given = await cellCredentials(adapter, { ...wishes, env: { ...named, ...env } }, host.logins)
      return { ...given, credentials: [...given.credentials, ...credentials] }
    },
  }
}

/** Throws LOGIN_NEEDED for an agent that cannot work without a credential. A user's own endpoint may need no login. */
export function refuseWithout(request: RunRequest, adapter: AgentAdapter, { source }: Access, place: string): void {
  const sources = adapter.credentials('/')
  if (source !== null || sources.length === 0 || request.baseUrl !== null || request.credentials?.mode === 'none') return
  const variable = sources.find((each) => each.kind === 'env')?.name
  throw new PaddockError('LOGIN_NEEDED', `${place}${adapter.name} is not logged in on this machine.`, {
    hint: `Run: ${adapter.program}${variable === undefined ? '' : `, or name ${variable} in ${place.replace(/: $/, '')}.env`}`,
  })
}

/** Returns the same as a sentence. */
export function noteWithout(request: RunRequest, adapter: AgentAdapter, { source }: Access): readonly string[] {
  const variable = adapter.credentials('/').find((each) => each.kind === 'env')?.name
  if (source !== null || variable === undefined || request.baseUrl !== null) return []
  const how = adapter.login === undefined ? 'Name' : `Run: paddock login ${adapter.name}, or name`
  return [`${adapter.name} has no credential in this cell. ${how} a key: --env ${variable}`]
}

function loginText({ name }: AgentAdapter, source: CredentialSource | null, { mode, volume }: CredentialWishes): string | null {
  if (source === null) return null
  if (source.kind === 'env') return `$${source.name}`
  return mode === 'volume' ? `the ${name} login of the volume ${volume ?? defaultVolume}` : `your ${name} login`
}
