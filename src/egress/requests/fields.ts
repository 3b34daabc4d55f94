/** Header or trailer fields in order, with names in their original case. */
export type Fields = readonly (readonly [name: string, value: string])[]

/** Maximum size of one head in bytes, in both directions. */
export const maxHeadBytes = 64 * 1_024

const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade', 'http2-settings'])
const proxyOwn = new Set(['proxy-authorization', 'proxy-authenticate'])

/** Returns field pairs from Node's flat list, without HTTP/2 pseudo-header fields. */
export function fieldsOf(raw: readonly string[]): Fields {
  const fields: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    if (!name.startsWith(':')) fields.push([name, raw[at + 1] ?? ''])
  }
  return fields
}

/** Returns the fields for the next hop (RFC 9110, section 7.6.1): all except connection fields and those that Connection names. */
export function endToEnd(fields: Fields): Fields {
  const named = new Set(
    fields.flatMap(([name, value]) =>
      name.toLowerCase() === 'connection' ? value.split(',').map((each) => each.trim().toLowerCase()) : [],
    ),
  )
  return fields.filter(([name]) => {
    const lower = name.toLowerCase()
    return !hopByHop.has(lower) && !proxyOwn.has(lower) && !named.has(lower)
  })
}

/** Returns all values of a field, in order. */
export function valuesOf(fields: Fields, name: string): string[] {
  return fields.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value)
}

export function without(fields: Fields, ...names: readonly string[]): Fields {
  return fields.filter(([name]) => !names.includes(name.toLowerCase()))
}

/** Returns fields in the flat form of Node's HTTP/1.1, with cookies that HTTP/2 had split joined again (RFC 9113, section 8.2.3). */
export function flat(fields: Fields): string[] {
  const cookies = valuesOf(fields, 'cookie')
  const joined = cookies.length < 2 ? fields : [...without(fields, 'cookie'), ['cookie', cookies.join('; ')] as const]
  return joined.flat()
}

/**
 * Returns fields in the form of Node's HTTP/2, by lower-case name. Repeated fields are joined (RFC 9110, section 5.3), because Node
 * refuses some of them otherwise. Cookies have separate rules.
 */
export function byName(fields: Fields): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null)
  for (const [spelt, value] of fields) {
    const name = spelt.toLowerCase()
    const known = headers[name]
    if (known === undefined) headers[name] = value
    else if (Array.isArray(known)) known.push(value)
    else headers[name] = name === 'set-cookie' || name === 'cookie' ? [known, value] : `${known}, ${value}`
  }
  return headers
}

/** Returns only the letters and digits of a field's name, in lower case, because some servers compare only these. */
export const withoutSeparators = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Fields from which vendors' APIs read an account. Names without separators. */
export const accountFields: readonly string[] = [
  'authorization',
  'xapikey',
  'apikey',
  'xgoogapikey',
  'xgoogiamauthorizationtoken',
  'xauthtoken',
  'xaccesstoken',
]

const neverTrailing = new Set([
  ...['content-length', 'transfer-encoding', 'host', 'trailer', 'content-encoding', 'content-type', 'cookie', 'set-cookie'].map(
    withoutSeparators,
  ),
  ...accountFields,
])

/** Returns the trailer fields that may be forwarded, which are those that do not affect framing, routing or accounts (RFC 9110, section 6.5.1). */
export function trailersOf(raw: readonly string[]): Fields {
  return endToEnd(fieldsOf(raw)).filter(([name]) => !neverTrailing.has(withoutSeparators(name)))
}
