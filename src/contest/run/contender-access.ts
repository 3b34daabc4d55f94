import type { AgentAdapter, CredentialSource } from '../../adapters/adapter.ts'
import { defaultVolume } from '../../credentials/volume/files.ts'
import { PaddockError } from '../../errors.ts'
import { type BoundSecrets, boundSecrets, parseSecretWish } from '../../run/bound-secrets.ts'
import { type CellCredentials, type CredentialWishes, cellCredentials, credentialSource } from '../../run/cell-credentials.ts'
import { parseCredentialWay } from '../../run/credential-way.ts'
import type { Contender } from '../config/schema.ts'
import { checkLogin } from './check-login.ts'
import type { ContestDeps } from './deps.ts'

/** What a participant or judge is given access with: its variables, its login, its secrets. */
export interface Access {
  /** The variables that contest.yaml names. */
  readonly named: Readonly<Record<string, string>>
  readonly source: CredentialSource | null
  readonly wishes: CredentialWishes
  /** Made anew for each cell. */
  readonly credentials: () => Promise<CellCredentials>
  /** The login that it gets, as text for people; null: none. */
  readonly login: string | null
}

/** Finds a contender's variables, login and secrets before anything runs. `place` is its key in contest.yaml. Throws LOGIN_NEEDED or BAD_INPUT. */
export async function accessOf(contender: Contender, adapter: AgentAdapter, place: string, deps: ContestDeps): Promise<Access> {
  const named = environmentOf(contender, place, deps)
  const home = deps.paths.userHome
  const baseUrl = contender.baseUrl ?? null
  const secrets = contender.secrets.map((each, index) => parseSecretWish(each, `${place}.secrets[${index}]`))
  const bound = secrets.map((each) => each.name)
  const env = { ...named, ...Object.fromEntries(bound.map((name) => [name, ''])) }
  const way = parseCredentialWay(contender.credentials ?? '')
  const wishes: CredentialWishes = { mode: way?.mode ?? null, volume: way?.volume ?? null, login: true, env, bound, baseUrl, home }
  const kept = (): Promise<BoundSecrets> => boundSecrets(secrets, { adapter, baseUrl }, deps.secrets)
  // A secret that is not available is reported before anything runs.
  await kept()
  const source = await credentialSource(adapter, wishes, deps.logins)
  if (source === null) needsNone(contender, adapter, place)
  await checkLogin(adapter, source, wishes, place, deps)
  return {
    named,
    source,
    wishes,
    credentials: () => withSecrets(cellCredentials(adapter, wishes, deps.logins), kept()),
    login: loginText(adapter, source, wishes),
  }
}

function loginText({ name }: AgentAdapter, source: CredentialSource | null, { mode, volume }: CredentialWishes): string | null {
  if (source === null) return null
  if (source.kind === 'env') return `$${source.name}`
  return mode === 'volume' ? `the ${name} login of the volume ${volume ?? defaultVolume}` : `your ${name} login`
}

function environmentOf(contender: Contender, place: string, deps: ContestDeps): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [index, each] of contender.env.entries()) {
    const equals = each.indexOf('=')
    if (equals >= 0) {
      env[each.slice(0, equals)] = each.slice(equals + 1)
      continue
    }
    const value = deps.env[each]
    if (value === undefined) {
      throw new PaddockError('BAD_INPUT', `${place}.env[${index}]: ${each} is not set in your environment`, {
        hint: `export ${each}=… and run again, or write ${each}=VALUE`,
      })
    }
    env[each] = value
  }
  return env
}

async function withSecrets(given: Promise<CellCredentials>, secrets: Promise<BoundSecrets>): Promise<CellCredentials> {
  const [cell, { env, credentials }] = await Promise.all([given, secrets])
  return { ...cell, env: { ...cell.env, ...env }, credentials: [...cell.credentials, ...credentials] }
}

/** Throws where an agent without any credential could do nothing. Behind an endpoint of one's own there may be no login at all. */
function needsNone(contender: Contender, adapter: AgentAdapter, place: string): void {
  const sources = adapter.credentials('/')
  if (sources.length === 0 || contender.baseUrl !== undefined || contender.credentials === 'none') return
  const variable = sources.find((each) => each.kind === 'env')?.name
  throw new PaddockError('LOGIN_NEEDED', `${place}: ${contender.agent} is not logged in on this machine`, {
    hint: `log in with: ${adapter.program}${variable === undefined ? '' : `; or name ${variable} in ${place}.env`}`,
  })
}
