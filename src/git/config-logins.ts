import { looksSecret, maskShapes } from '../secrets/looks-secret.ts'
import { type GitConfigEntry, readGitConfig } from './config-syntax.ts'

/** A login in a git configuration. */
export interface ConfigLogin {
  /** The host name for which git uses it, with its port if it has one; null: for every host. */
  readonly host: string | null
  readonly user: string
  readonly password: string
}

/** The part of an address before the host. Git and curl take everything up to the last `@` (urlmatch.c, RFC 3986 section 3.2.1). */
const userInfo = /([a-z][a-z0-9+.-]*:\/\/)([^/\s"?#]*)@/gi
const secretKey = /(?:token|password|passwd|secret|api-?key|(?<!ask)pass|extraheader|\.(?:key|pat|auth|oauth))$/
/** A login in a command or an address: a header of a request, or a parameter that is named after a token. */
const secretPart = /authorization:\s*\S+\s+\S|[?&](?:[\w-]*token|api-?key|password|secret)=[^&]/i

/**
 * Returns the text of a git configuration without the logins in it: user and password of an address (a plain name stays), headers
 * of requests, settings that are named after passwords and tokens, and tokens of known forms. The rest stays as it is, with its lines.
 */
export function withoutLogins(text: string): string {
  const masked = drop(text, isSecret).replace(userInfo, (_, scheme: string, user: string) => `${scheme}${isName(user) ? `${user}@` : ''}`)
  // An address that is quoted in parts.
  return maskShapes(drop(masked, ({ key, value }) => hasLogin(key) || hasLogin(value ?? '')))
}

/** Returns the logins for hosts in a git configuration: in addresses, and in the headers of HTTP requests. */
export function configLogins(text: string): readonly ConfigLogin[] {
  return readGitConfig(text).entries.flatMap(({ key, value }) => {
    const header = /^http\.(?:(.*)\.)?extraheader$/s.exec(key)
    if (header !== null) return headerLogin(hostOf(header[1] ?? ''), value ?? '')
    return [key.slice(key.indexOf('.') + 1), value ?? ''].flatMap((each) =>
      [...each.matchAll(userInfo)].flatMap((found) => addressLogin(each, found)),
    )
  })
}

/** Removes entries. Their sections and lines stay. */
function drop(text: string, test: (entry: GitConfigEntry) => boolean): string {
  const { entries, places } = readGitConfig(text)
  let [kept, at] = ['', 0]
  for (const [index, { start, end }] of places.entries()) {
    const entry = entries[index]
    if (entry === undefined || !test(entry)) continue
    kept += text.slice(at, start)
    at = end
  }
  return kept + text.slice(at)
}

function isSecret({ key, value }: GitConfigEntry): boolean {
  if (value === null || /^(?:true|false|yes|no|on|off|\d?)$/i.test(value)) return false
  const plain = value.replace(userInfo, '$1')
  if (secretKey.test(key) || secretPart.test(key) || secretPart.test(value) || maskShapes(plain) !== plain) return true
  if (key.startsWith('credential.')) return /password=/.test(value) || /^!.*(?:pass|token|secret|\bpat\b)/is.test(value)
  // Curl takes the address of a proxy without a scheme.
  return key.endsWith('.proxy') && !value.includes('://') && value.includes('@') && !isName(value.slice(0, value.lastIndexOf('@')))
}

/** Returns true for a user without a password whose name does not look like a token. */
function isName(user: string): boolean {
  return !user.includes(':') && maskShapes(user) === user && !looksSecret('', user)
}

function hasLogin(text: string): boolean {
  return [...text.matchAll(userInfo)].some(([, , user = '']) => !isName(user))
}

function hostOf(address: string): string | null {
  try {
    return new URL(address).host || null
  } catch {
    return null
  }
}

function addressLogin(address: string, { index, 0: whole, 1: scheme = '', 2: user = '' }: RegExpExecArray): readonly ConfigLogin[] {
  const host = hostOf(`${scheme}${/^[^/\s"?#]*/.exec(address.slice(index + whole.length))?.[0] ?? ''}`)
  if (host === null || isName(user) || !/^https?:/i.test(scheme)) return []
  const colon = user.indexOf(':')
  const [name, password] = colon < 0 ? ['', user] : [user.slice(0, colon), user.slice(colon + 1)]
  // The oldest form of a token of GitHub: the token is the user.
  return password === '' || password === 'x-oauth-basic' ? login(host, '', name) : login(host, name, password)
}

function headerLogin(host: string | null, header: string): readonly ConfigLogin[] {
  const [, scheme = '', text = ''] = /^authorization:\s*(basic|bearer)\s+(\S+)\s*$/i.exec(header) ?? []
  if (scheme.toLowerCase() !== 'basic') return login(host, '', text)
  const decoded = Buffer.from(text, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon < 0 ? [] : login(host, decoded.slice(0, colon), decoded.slice(colon + 1))
}

function login(host: string | null, user: string, password: string): readonly ConfigLogin[] {
  return password === '' ? [] : [{ host, user: unescaped(user), password: unescaped(password) }]
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
