import type { AgentAdapter, CredentialSource } from '../adapters/adapter.ts'
import { PaddockError } from '../base/errors.ts'
import type { RunRequest } from '../config/request/request.ts'
import { defaultVolume } from '../credentials/volume/volume-files.ts'
import type { CellCredential } from '../egress/placeholder/credential.ts'
import type { RunHost } from '../host.ts'
import { type BoundSecrets, boundSecrets } from './bound-secrets.ts'
import { type CellCredentials, type CredentialWishes, cellCredentials, credentialSource, refuseImpossible } from './cell-credentials.ts'
import { variablesOf } from './variables.ts'

/** An agent's variables, login and secrets. */
export interface Access {
  /** The variables named in the request, with their values. */
  readonly named: Readonly<Record<string, string>>
  /** The credential that the agent uses; null: it has no credential. */
  readonly source: CredentialSource | null
  readonly wishes: CredentialWishes
  /** The agent's login, as text for people; null: it has no login. */
  readonly login: string | null
  /** The secrets named in the request. */
  readonly secrets: readonly CellCredential[]
  /** Creates new credentials for each cell. */
  forCell(): Promise<CellCredentials>
}

/**
 * Finds the variables, the login and the secrets of a request before anything starts.
 * @throws PaddockError if any of them is missing, is not available, or cannot be kept out of the cell as requested
 */
export async function accessOf(request: RunRequest, adapter: AgentAdapter, host: RunHost): Promise<Access> {
  const named = variablesOf(request.env, host.env)
  const baseUrl = request.baseUrl?.value ?? null
  const bind = (): Promise<BoundSecrets> => boundSecrets(request.secrets, { adapter, baseUrl }, host.secrets)
  // The first cell uses the secrets that were read here, because the user may have been asked for the passphrase of the vault.
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

/** Throws LOGIN_NEEDED for an agent that cannot work without a credential. With a user's own endpoint, it may need no login. */
export function refuseWithout(request: RunRequest, adapter: AgentAdapter, { source }: Access, place: string): void {
  const sources = adapter.credentials('/')
  if (source !== null || sources.length === 0 || request.baseUrl !== null || request.credentials?.mode === 'none') return
  const variable = sources.find((each) => each.kind === 'env')?.name
  throw new PaddockError('LOGIN_NEEDED', `${place}${adapter.name} is not logged in on this machine.`, {
    hint: `Run: ${adapter.program}${variable === undefined ? '' : `, or name ${variable} in ${place.replace(/: $/, '')}.env`}`,
  })
}

/** Returns a note for an agent that has no credential and does not use a user's own endpoint. */
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
