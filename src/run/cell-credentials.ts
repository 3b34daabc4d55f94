import path from 'node:path'
import type { AgentAdapter, AgentCommand, CredentialSource } from '../adapters/adapter.ts'
import { keyPlaceholder, loginPlaceholders } from '../adapters/placeholders.ts'
import { PaddockError } from '../base/errors.ts'
import type { MountWish } from '../cell/plan/spec.ts'
import type { CredentialMode } from '../credentials/credential-way.ts'
import type { StoredLogins } from '../credentials/stored-logins.ts'
import { defaultVolume } from '../credentials/volume/volume-files.ts'
import type { CellCredential } from '../egress/placeholder/credential.ts'
import { endpointEntry, endpointUrl } from '../egress/placeholder/endpoint.ts'
import type { AllowEntry } from '../egress/policy/egress-policy.ts'
import { Secret } from '../secrets/secret.ts'

export interface CredentialWishes {
  /** The mode. Null: placeholders if possible, or else a snapshot of the login (`RunPlace.mayShowLogin`). */
  readonly mode: CredentialMode | null
  /** The name of the volume, for `volume`; null or absent: the default volume. */
  readonly volume?: string | null
  /** If false, logins stored on this machine are not used. Named variables are passed in any case. */
  readonly login: boolean
  /** The variables that the user named, with their values. */
  readonly env: Readonly<Record<string, string>>
  /** The names of variables whose values are already placeholders. */
  readonly bound?: readonly string[]
  readonly baseUrl: string | null
  /** The user's home on the host, and in the cell. */
  readonly home: string
}

/** An endpoint of the gateway itself for the agent's requests to its model. */
export interface ModelEndpoint {
  readonly baseUrl: string
  readonly entry: AllowEntry
}

/**
 * Returns the model endpoint for a cell; null if the agent itself connects to the vendor or to the user's endpoint.
 * @throws PaddockError UNENFORCEABLE if an endpoint was requested and the agent cannot use one with this credential.
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
        hint: 'Leave --credentials endpoint out: its requests are inspected instead',
      },
    )
  return { baseUrl: endpointUrl, entry: endpointEntry(host, 443) }
}

/** The environment, files and placeholders of a cell for its credentials. */
export interface CellCredentials {
  /** The credential that the agent uses; null: it has no credential. */
  readonly source: CredentialSource | null
  readonly env: Readonly<Record<string, string>>
  readonly homeFiles: AgentCommand['homeFiles']
  readonly mounts: readonly MountWish[]
  readonly credentials: readonly CellCredential[]
  /** Real credentials that are in the cell itself, for callers that check whether they leave it. */
  readonly inCell: readonly Secret[]
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
  /** Must be called when the cell has ended. */
  end(): Promise<void>
}

/**
 * Returns the credential that an agent's cell will get: the first named variable, or else the stored login. Null if there is neither.
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
  // `lend` reports a missing login and how to fix it.
  if (wishes.mode === 'volume') return login
  const found =
    wishes.mode !== 'snapshot' && adapter.placeholders.stored !== undefined
      ? (await stored.read(adapter.name)).length > 0
      : (await stored.place(adapter.name, login)) !== null
  return found ? login : null
}

/**
 * Returns an agent's credentials for one cell, created for each cell separately.
 * @throws PaddockError if `placeholder` was requested and is impossible, or a stored login cannot be read.
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
    return { ...nothing, source: login, mounts, credentials: [...credentials, ...lent.credentials], end: () => lent.end() }
  }
  if (wishes.mode !== 'snapshot' && adapter.placeholders.stored !== undefined) {
    const logins = await stored.read(adapter.name)
    const made = loginPlaceholders(adapter, logins, stored, wishes.baseUrl)
    const notes = made.without.map(
      ({ provider }) =>
        `${adapter.name}: there is no placeholder for its login${provider === null ? '' : ` at ${provider}`}, so the cell does not have it; --credentials snapshot shows the cell a copy.`,
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

/** Throws UNENFORCEABLE if a placeholder was requested for a login that cannot have one. */
export function refuseImpossible(adapter: AgentAdapter, { mode }: CredentialWishes, source: CredentialSource | null): void {
  if (source?.kind !== 'snapshot' || adapter.placeholders.stored !== undefined) return
  if (mode !== 'placeholder' && mode !== 'endpoint') return
  throw new PaddockError('UNENFORCEABLE', `Paddock has no placeholder for the login of ${adapter.name}.`, {
    hint: 'Name the variable of a key in env, or choose the credentials `snapshot`: the cell then sees a copy of the login, which the agent can take',
  })
}

/** Returns the variables that the user named, with placeholders for the keys among them. */
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
