import { PaddockError } from '../../base/errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { type Fields, without } from '../requests/fields.ts'
import type { CredentialPlace } from './credential.ts'

/** The parts of a request that may contain a credential. */
export interface SwappableRequest {
  /** Path and query of the request. */
  readonly target: string
  readonly headers: Fields
}

/** Returns true if this place contains exactly one of the placeholders, and the place occurs once. */
export function holds(request: SwappableRequest, place: CredentialPlace, placeholders: readonly string[]): boolean {
  return swapped(request, place, placeholders, (placeholder) => placeholder) !== null
}

/**
 * Returns the request with the secret in place of a placeholder.
 * @throws PaddockError BAD_INPUT for a secret that cannot be sent in a header
 */
export function swap(request: SwappableRequest, place: CredentialPlace, placeholders: readonly string[], secret: Secret): SwappableRequest {
  const text = secret.text()
  if (place.kind === 'header' && !/^[\x21-\x7e]+$/.test(text))
    throw new PaddockError(
      'BAD_INPUT',
      `${secret} cannot be sent in a header: it is empty, or contains a line break or another control character.`,
    )
  return swapped(request, place, placeholders, () => text) ?? request
}

/** Returns the request without the header that contains a placeholder. If no header does, the request is unchanged. */
export function drop(request: SwappableRequest, place: CredentialPlace, placeholders: readonly string[]): SwappableRequest {
  if (place.kind === 'query' || !holds(request, place, placeholders)) return request
  return { ...request, headers: without(request.headers, headerOf(place)) }
}

const headerOf = (place: Exclude<CredentialPlace, { kind: 'query' }>): string =>
  place.kind === 'basic' ? 'authorization' : place.name.toLowerCase()

function swapped(
  request: SwappableRequest,
  place: CredentialPlace,
  placeholders: readonly string[],
  by: (placeholder: string) => string,
): SwappableRequest | null {
  if (place.kind === 'query') {
    const target = swappedQuery(request.target, place.name, placeholders, by)
    return target === null ? null : { ...request, target }
  }
  const name = headerOf(place)
  const [at, ...more] = request.headers.flatMap(([each], index) => (each.toLowerCase() === name ? [index] : []))
  const field = at === undefined ? undefined : request.headers[at]
  if (field === undefined || more.length > 0) return null
  const value =
    place.kind === 'basic' ? swappedBasic(field[1], place.part, placeholders, by) : swappedValue(field[1], place.scheme, placeholders, by)
  return value === null ? null : { ...request, headers: request.headers.map((each, index) => (index === at ? [each[0], value] : each)) }
}

function swappedValue(
  value: string,
  scheme: string | undefined,
  placeholders: readonly string[],
  by: (placeholder: string) => string,
): string | null {
  if (scheme === undefined) return placeholders.includes(value.trim()) ? by(value.trim()) : null
  const found = /^\s*(\S+) +(\S+)\s*$/.exec(value)
  if (found?.[1]?.toLowerCase() !== scheme.toLowerCase() || !placeholders.includes(found[2] ?? '')) return null
  return `${scheme} ${by(found[2] ?? '')}`
}

function swappedBasic(
  value: string,
  part: 'user' | 'password',
  placeholders: readonly string[],
  by: (placeholder: string) => string,
): string | null {
  const coded = /^\s*basic +([A-Za-z0-9+/]+={0,2})\s*$/i.exec(value)?.[1]
  if (coded === undefined) return null
  const pair = /^([^:]*):(.*)$/s.exec(Buffer.from(coded, 'base64').toString('utf8'))
  const [user, password] = [pair?.[1] ?? '', pair?.[2] ?? '']
  if (!placeholders.includes(part === 'user' ? user : password)) return null
  return `Basic ${Buffer.from(part === 'user' ? `${by(user)}:${password}` : `${user}:${by(password)}`).toString('base64')}`
}

function swappedQuery(target: string, name: string, placeholders: readonly string[], by: (placeholder: string) => string): string | null {
  const mark = target.indexOf('?')
  if (mark < 0) return null
  const pairs = target.slice(mark + 1).split('&')
  const [at, ...more] = pairs.flatMap((pair, index) => (pair.startsWith(`${name}=`) ? [index] : []))
  const pair = at === undefined ? undefined : pairs[at]
  if (pair === undefined || more.length > 0) return null
  const value = pair.slice(name.length + 1)
  if (!placeholders.includes(value)) return null
  return `${target.slice(0, mark)}?${pairs.map((each, index) => (index === at ? `${name}=${encodeURIComponent(by(value))}` : each)).join('&')}`
}
