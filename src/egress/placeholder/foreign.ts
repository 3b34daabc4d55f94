import { accountFields, withoutSeparators } from '../requests/fields.ts'
import type { CredentialPlace } from './credential.ts'
import type { SwappableRequest } from './swap.ts'

/** Parameters from which such APIs read an account. Google's read fields from `$httpHeaders` (Cloud APIs, system parameters). */
const usualParameters = ['key', 'apikey', 'accesstoken', 'oauthtoken', 'bearertoken', 'authorization', 'httpheaders']

/**
 * Returns true if a request to a host with an exclusive credential names an account other than the placeholders: in the places of that
 * credential, in any other place that such APIs read, and in any spelling. An unusual spelling can only make the result stricter.
 */
export function isForeign(request: SwappableRequest, places: readonly CredentialPlace[], placeholders: readonly string[]): boolean {
  const fields = new Set(accountFields)
  const schemed = new Set(['authorization'])
  const parameters = new Set(usualParameters)
  for (const place of places) {
    if (place.kind === 'header') fields.add(withoutSeparators(place.name))
    if (place.kind === 'header' && place.scheme !== undefined) schemed.add(withoutSeparators(place.name))
    if (place.kind === 'query') parameters.add(withoutSeparators(place.name))
  }
  const inField = request.headers.some(([spelt, value]) => {
    const name = withoutSeparators(spelt)
    // A websocket in a browser cannot send a token in any other field.
    if (name === 'secwebsocketprotocol') return /key|token|bearer|auth/i.test(value) && !placeholders.some((each) => value.includes(each))
    return fields.has(name) && value.trim() !== '' && !isOneOf(value.trim(), schemed.has(name), placeholders)
  })
  return (
    inField || parametersOf(request.target).some(([name, value]) => parameters.has(name) && value !== '' && !placeholders.includes(value))
  )
}

/** Returns true for a placeholder that is bare, after a scheme, or a part of Basic authentication. */
function isOneOf(value: string, schemed: boolean, placeholders: readonly string[]): boolean {
  const [scheme = '', rest, ...more] = value.split(/\s+/)
  if (more.length > 0 || (rest !== undefined && !schemed)) return false
  if (rest === undefined) return placeholders.includes(scheme)
  if (scheme.toLowerCase() !== 'basic') return placeholders.includes(rest)
  const [user = '', ...password] = Buffer.from(rest, 'base64').toString('utf8').split(':')
  return placeholders.includes(user) || placeholders.includes(password.join(':'))
}

/** Returns the parameters as any server might read them, with decoded values and names without separators. */
function parametersOf(target: string): readonly (readonly [string, string])[] {
  const mark = target.indexOf('?')
  if (mark < 0) return []
  return target
    .slice(mark + 1)
    .split(/[&;?]/)
    .map((pair) => {
      const text = decoded(pair)
      const end = text.indexOf('=')
      return [withoutSeparators(end < 0 ? text : text.slice(0, end)), end < 0 ? '' : text.slice(end + 1)] as const
    })
}

function decoded(text: string): string {
  let read = text
  for (let times = 0; times < 3 && read.includes('%'); times++)
    read = read.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return read
}
