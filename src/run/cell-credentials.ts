import path from 'node:path'
import type { AgentAdapter, AgentCommand, CredentialSource } from '../adapters/adapter.ts'
import { keyPlaceholder, loginPlaceholders } from '../adapters/placeholders.ts'
import type { MountWish } from '../cell/plan/spec.ts'
import type { CredentialMode } from '../credentials/credential-way.ts'
import type { StoredLogins } from '../credentials/stored-logins.ts'
import { defaultVolume } from '../credentials/volume/files.ts'
import type { CellCredential } from '../egress/placeholder/credential.ts'
import { endpointEntry, endpointUrl } from '../egress/placeholder/endpoint.ts'
import type { AllowEntry } from '../egress/policy/policy.ts'
import { PaddockError } from '../errors.ts'
import { Secret } from '../secrets/secret.ts'

export interface CredentialWishes {
  /** Null: placeholders wherever possible, and a snapshot of the login for an agent that has no placeholder. */
  readonly mode: CredentialMode | null
  /** With `volume`: the name of the volume (default: the default volume). */
  readonly volume?: string | null
  /** False: what is stored on this machine is left alone; named variables pass all the same. */
  readonly login: boolean
  /** Variables that the user named, with their values. */
  readonly env: Readonly<Record<string, string>>
  /** Names among them whose values are placeholders already. */
  readonly bound?: readonly string[]
  readonly baseUrl: string | null
  /** The user's home on the host, and in the cell. */
  readonly home: string
}

/** The endpoint of the gateway's own that an agent is pointed at. */
export interface ModelEndpoint {
  readonly baseUrl: string
  readonly entry: AllowEntry
}

/**
 * Decides about the model endpoint of a cell. Null if the agent itself goes to the vendor, or to the user's endpoint.
 * @throws PaddockError UNENFORCEABLE if it was asked for and the agent cannot use an endpoint with this credential.
 */
export function modelEndpoint(
  adapter: AgentAdapter,
  source: CredentialSource | null,
  { mode, baseUrl }: CredentialWishes,
): ModelEndpoint | null {
  if (mode !== 'endpoint') return null
  if (baseUrl !== null) {
    const { protocol, hostname, port, pathname } = new URL(baseUrl)
    if (protocol !== 'https:')
      throw new PaddockError('UNENFORCEABLE', `${baseUrl} speaks plain HTTP already, so nothing has to speak TLS for the cell.`, {
        hint: 'Leave --credentials endpoint out',
      })
    return { baseUrl: endpointUrl + pathname, entry: endpointEntry(hostname, port === '' ? 443 : Number(port)) }
  }
  const { keys, storedElsewhere } = adapter.placeholders
  const use = source?.kind === 'env' ? keys[source.name] : source?.kind === 'snapshot' ? storedElsewhere : undefined
  const host = use?.hosts[0]?.host
  if (host === undefined)
    throw new PaddockError(
      'UNENFORCEABLE',
      `${adapter.name} cannot be pointed at an endpoint with ${source?.kind === 'env' ? source.name : 'its stored login'}.`,
      {
        hint: 'Leave --credentials endpoint out: its requests are inspected in place of that',
      },
    )
  return { baseUrl: endpointUrl, entry: endpointEntry(host, 443) }
}

/** What a cell gets in the way of credentials. */
export interface CellCredentials {
  /** The one that the agent uses; null: none. */
  readonly source: CredentialSource | null
  readonly env: Readonly<Record<string, string>>
  readonly homeFiles: AgentCommand['homeFiles']
  readonly mounts: readonly MountWish[]
  readonly credentials: readonly CellCredential[]
  /** The real ones that the cell itself holds, for who looks whether they leave it. */
  readonly inCell: readonly Secret[]
  /** What the user should know, one sentence each. */
  readonly notes: readonly string[]
  /** To be called when the cell is gone. */
  end(): Promise<void>
}

/**
 * Which credential an agent's cell will get: the first variable that is named, else the login that is stored; null: none.
 * @throws PaddockError for a stored login that cannot be read.
 */
export async function credentialSource(
  adapter: AgentAdapter,
  wishes: CredentialWishes,
  stored: StoredLogins,
): Promise<CredentialSource | null> {
  const sources = adapter.credentials(wishes.home)
  const variable = sources.find((each) => each.kind === 'env' && Object.hasOwn(wishes.env, each.name))
  if (variable !== undefined) return variable
  const login = sources.find((each) => each.kind === 'snapshot')
  if (login === undefined || !wishes.login || wishes.mode === 'none') return null
  // `lend` reports a missing login, with the fix.
  if (wishes.mode === 'volume') return login
  const found =
    wishes.mode !== 'snapshot' && adapter.placeholders.stored !== undefined
      ? (await stored.read(adapter.name)).length > 0
      : (await stored.place(adapter.name, login)) !== null
  return found ? login : null
}

/**
 * What one cell gets of an agent's credentials; made anew for each cell.
 * @throws PaddockError where `placeholder` was asked for and cannot be, or a stored login cannot be read.
 */
export async function cellCredentials(adapter: AgentAdapter, wishes: CredentialWishes, stored: StoredLogins): Promise<CellCredentials> {
  const { env, inCell, credentials } = namedKeys(adapter, wishes)
  const nothing = { env, inCell, credentials, homeFiles: [], mounts: [], notes: [], end: async () => {} }
  const login = await credentialSource(adapter, wishes, stored)
  if (login?.kind !== 'snapshot') return { ...nothing, source: login }
  const target = path.join(wishes.home, login.homePath)
  if (wishes.mode === 'volume') {
    const lent = await stored.lend(adapter.name, wishes.volume ?? defaultVolume)
    const mounts: MountWish[] = [{ source: lent.directory, target: path.dirname(target), access: 'rw', reason: 'agent' }]
    return { ...nothing, source: login, mounts, end: () => lent.end() }
  }
  if (wishes.mode !== 'snapshot' && adapter.placeholders.stored !== undefined) {
    const logins = await stored.read(adapter.name)
    const made = loginPlaceholders(adapter, logins, stored, wishes.baseUrl)
    const notes = made.without.map(
      ({ provider }) =>
        `${adapter.name}: nothing can stand for its login${provider === null ? '' : ` at ${provider}`}, so the cell does not have it; --credentials snapshot shows the cell a copy.`,
    )
    const source = made.credentials.length === 0 ? null : login
    return { ...nothing, source, homeFiles: made.files, credentials: [...credentials, ...made.credentials], notes }
  }
  refuseImpossible(adapter, wishes, login)
  const copy = await stored.snapshot((await stored.place(adapter.name, login)) ?? login.hostPath)
  const notes =
    wishes.mode === 'snapshot'
      ? []
      : [`Paddock has no placeholder for a ${adapter.name} login: the cell sees a copy of it, which a hijacked agent could send away.`]
  const mounts: MountWish[] = [{ source: copy.path, target, access: 'ro', reason: 'agent' }]
  return { ...nothing, source: login, mounts, notes, end: () => copy.remove() }
}

/** Throws UNENFORCEABLE if the cell was to have a placeholder for a login that none can be made for. */
export function refuseImpossible(adapter: AgentAdapter, { mode }: CredentialWishes, source: CredentialSource | null): void {
  if (source?.kind !== 'snapshot' || adapter.placeholders.stored !== undefined) return
  if (mode !== 'placeholder' && mode !== 'endpoint') return
  throw new PaddockError('UNENFORCEABLE', `Paddock has no placeholder for the login of ${adapter.name}.`, {
    hint: 'Name a key with --env, or let the cell see a copy of the login with --credentials snapshot',
  })
}

/** The variables that the user named, with placeholders for the keys among them. */
function namedKeys(
  adapter: AgentAdapter,
  { mode, env, bound = [], baseUrl }: CredentialWishes,
): Pick<CellCredentials, 'env' | 'inCell' | 'credentials'> {
  const given: Record<string, string> = { ...env }
  const inCell: Secret[] = []
  const credentials: CellCredential[] = []
  const keys = new Set([
    ...Object.keys(adapter.placeholders.keys),
    ...adapter.credentials('/').flatMap((each) => (each.kind === 'env' ? [each.name] : [])),
  ])
  for (const [name, value] of Object.entries(env)) {
    if (!keys.has(name) || value === '' || bound.includes(name)) continue
    const secret = Secret.fromText(name, value)
    const placeholder =
      mode === null || mode === 'placeholder' || mode === 'endpoint' ? keyPlaceholder(adapter, name, secret, baseUrl) : null
    if (placeholder === null) inCell.push(secret)
    else {
      given[name] = placeholder.value
      credentials.push(placeholder.credential)
    }
  }
  return { env: given, inCell, credentials }
}
