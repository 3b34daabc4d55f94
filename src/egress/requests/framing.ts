import { type Fields, valuesOf, without } from './fields.ts'

/** The framing with which a request's body was read. `length`: exactly that many bytes, possibly 0. `stream`: the end is marked. */
export type BodyFraming = { readonly kind: 'none' } | { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'stream' }

/** Returns true if the request has no body. */
export const isEmpty = (framing: BodyFraming): boolean => framing.kind === 'none' || (framing.kind === 'length' && framing.bytes === 0)

/** Fields that Connection must not name. Without these fields the next hop would read another message, or contact another host. */
const framesOrRoutes = new Set(['content-length', 'transfer-encoding', 'host', 'connection', 'trailer', 'expect', 'content-type'])
/** These names without separators, for gateways that compare only letters and digits of a field name (RFC 3875, section 4.1.18). */
const looseNames = new Map(['content-length', 'transfer-encoding', 'host', 'connection'].map((name) => [name.replace('-', ''), name]))
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Methods whose requests have no body for any reader unless a field declares one. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

/** Returns the declared length: null if there is none, NaN if it is not a single plain number. */
export function declaredLength(headers: Fields): number | null {
  const values = valuesOf(headers, 'content-length')
  if (values.length === 0) return null
  return values.length === 1 && /^\d{1,15}$/.test(values[0] ?? '') ? Number(values[0]) : Number.NaN
}

/** Returns the error in the fields for framing and routing of a request; null if there is no error. */
export function framingFault(headers: Fields, framing: BodyFraming): string | null {
  if (framing.kind === 'length' && !Number.isSafeInteger(framing.bytes)) return 'the content length'
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    const meant = looseNames.get(lower.replace(/[^a-z0-9]/g, ''))
    if (meant !== undefined && meant !== lower) return 'a field that could be read as another one'
    if (lower !== 'connection') continue
    for (const option of value.split(',').map((each) => each.trim().toLowerCase())) {
      if (option === '') continue
      if (!token.test(option) || framesOrRoutes.has(option))
        return 'the Connection field names a field that is not only for this connection'
    }
  }
  return null
}

/**
 * Returns the fields to forward: the client's fields without any framing fields, plus those for the framing that was read. The
 * declared length is enforced. Only HTTP/1.1 uses chunks.
 */
export function framed(headers: Fields, method: string, framing: BodyFraming, version: '1.1' | '2'): Fields {
  const rest = without(headers, 'content-length', 'transfer-encoding', ...(framing.kind === 'stream' ? [] : ['trailer']))
  if (framing.kind === 'length') return [...rest, ['content-length', String(framing.bytes)]]
  if (version === '2') return rest
  if (framing.kind === 'stream') return [...rest, ['Transfer-Encoding', 'chunked']]
  return bodiless.has(method) ? rest : [...rest, ['Content-Length', '0']]
}
