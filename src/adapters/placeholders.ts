import { presentedToken } from '../credentials/refresh/presented.ts'
import type { CellCredential, CredentialHost, TokenEndpoint } from '../egress/placeholder/credential.ts'
import { placeholderFor, placeholderToken, randomLetters } from '../egress/placeholder/placeholder.ts'
import type { Secret } from '../secrets/secret.ts'
import type { AgentAdapter, CredentialUse, LoginFacts, LoginPlaceholder, PlaceholderMaker } from './adapter.ts'

/** The lifetime that placeholders declare, which is long enough that no program in a cell has to renew them. */
export const farMs = 365 * 86_400_000
/** The maximum number of placeholders for one login in one cell. The gateway searches requests for all of them. */
const maxPlaceholders = 8

/** The placeholder of a key, which a cell gets instead. */
export interface KeyPlaceholder {
  /** The value of the variable in the cell. */
  readonly value: string
  readonly credential: CellCredential
}

/**
 * Returns a placeholder for a key that an agent reads from a variable. Null if the adapter does not know where the key is sent.
 * @param baseUrl the user's own endpoint, which replaces the vendor's, so that the key is sent only there.
 */
export function keyPlaceholder(adapter: AgentAdapter, variable: string, secret: Secret, baseUrl: string | null): KeyPlaceholder | null {
  const { keys } = adapter.placeholders
  const use = Object.hasOwn(keys, variable) ? keys[variable] : undefined
  if (use === undefined) return null
  const value = placeholderOf(adapter, variable, secret)
  return {
    value,
    credential: { name: variable, exclusive: true, ...bound(use, baseUrl), placeholders: () => [value], secret: async () => secret },
  }
}

/** Returns a placeholder for the value of a variable in an agent's cell, which the agent's CLI uses without asking. */
export function placeholderOf(adapter: AgentAdapter | null, variable: string, secret: Secret): string {
  const { endings = {} } = adapter?.placeholders ?? {}
  return placeholderFor(secret.text(), Object.hasOwn(endings, variable) ? endings[variable] : '')
}

/** The placeholders of the stored logins, which a cell gets instead. */
export interface LoginPlaceholders<Login extends LoginFacts> {
  readonly files: readonly { readonly path: string; readonly content: string; readonly overwrite: true }[]
  readonly credentials: readonly CellCredential[]
  /** Logins without a placeholder. */
  readonly without: readonly Login[]
}

/** Returns true if this login can have a placeholder even if the user names no endpoint. */
export function hasPlaceholder(adapter: AgentAdapter, login: LoginFacts): boolean {
  return loginPlaceholders(adapter, [login], { access: () => Promise.reject(new Error('only asked')) }, null).credentials.length > 0
}

/** Returns the current tokens at the time of each use. */
export interface CurrentTokens<Login extends LoginFacts> {
  access(login: Login, signal: AbortSignal): Promise<Secret>
  rejected?(login: Login, token: Secret): void
}

/** Returns placeholders for the logins that an agent's CLI has stored on this machine. */
export function loginPlaceholders<Login extends LoginFacts>(
  adapter: AgentAdapter,
  logins: readonly Login[],
  current: CurrentTokens<Login>,
  baseUrl: string | null,
): LoginPlaceholders<Login> {
  const make: PlaceholderMaker = { word: (prefix) => prefix + randomLetters(72), token: placeholderToken }
  const { files, placeholders: made } = adapter.placeholders.stored?.(logins, make) ?? { files: [], placeholders: [] }
  const placeholders = made.filter(({ use }) => baseUrl !== null || use.hosts.length > 0)
  return {
    files: files.map((each) => ({ ...each, overwrite: true })),
    credentials: placeholders.map((each) => credentialOf(adapter, each, current, baseUrl)),
    without: logins.filter((login) => !placeholders.some((each) => each.login === login)),
  }
}

function credentialOf<Login extends LoginFacts>(
  adapter: AgentAdapter,
  { login, use, access, renewal }: LoginPlaceholder<Login>,
  current: CurrentTokens<Login>,
  baseUrl: string | null,
): CellCredential {
  const placeholders = [access]
  const answers = (found: NonNullable<typeof renewal>): TokenEndpoint => ({
    host: found.host,
    paths: found.paths,
    answer(body) {
      // The cell may only renew its own placeholder, and may not request anything else from this endpoint.
      if (presentedToken(body) !== found.refresh) return { status: 400, json: { error: 'invalid_grant' } }
      const fresh = placeholders.length < maxPlaceholders ? another(access) : (placeholders.at(-1) ?? access)
      if (!placeholders.includes(fresh)) placeholders.push(fresh)
      return { status: 200, json: found.reply(fresh) }
    },
  })
  return {
    name: `${adapter.name} login${login.provider === null ? '' : ` (${login.provider})`}`,
    exclusive: true,
    ...bound(use, baseUrl),
    placeholders: () => placeholders,
    secret: (signal) => current.access(login, signal),
    rejected: (secret) => current.rejected?.(login, secret),
    ...(renewal === undefined ? {} : { renewal: answers(renewal) }),
  }
}

/** Returns a placeholder of the same form: the claims stay the same, and the random parts are new. */
function another(placeholder: string): string {
  const [head, claims, signature] = placeholder.split('.')
  if (signature !== undefined) return `${head}.${claims}.${randomLetters(signature.length)}`
  return placeholderFor(placeholder)
}

/** Returns the hosts and places to which a credential is sent: the vendor's, or only the user's own endpoint. */
function bound(use: CredentialUse, baseUrl: string | null): Pick<CellCredential, 'hosts' | 'places'> {
  return { hosts: endpointHosts(use, baseUrl), places: use.places }
}

/** Returns the hosts of a use, or only the host of the user's own endpoint. */
export function endpointHosts(use: CredentialUse, baseUrl: string | null): readonly CredentialHost[] {
  if (baseUrl === null) return use.hosts.map(({ host, paths }) => ({ host, port: 443, tls: true, paths }))
  const { protocol, hostname, port } = new URL(baseUrl)
  const tls = protocol === 'https:'
  const at = port === '' ? (tls ? 443 : 80) : Number(port)
  return [{ host: hostname, port: at, tls, paths: ['/**'] }]
}
