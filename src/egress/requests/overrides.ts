import { type Fields, withoutSeparators } from './fields.ts'

/** A method of plain letters. Other values are read by servers in unpredictable ways. */
export const plainMethod = /^[A-Z]{1,24}(?:-[A-Z]{1,24}){0,2}$/

/** Maximum number of methods as which one request may be read, including its own. Each one is judged; honest requests need no more. */
export const maxMethods = 4

/** Names of override fields without separators, because servers turn `-` and other characters into `_` (RFC 3875, section 4.1.18). */
const methodName = /^(?:x(?:http|original|forwarded|override|real|request|rest)*(?:method|verb)(?:override)?|(?:http)?methodoverride)$/
const pathName =
  /^x(?:(?:envoy|ms)?(?:original|rewrite|rewritten|forwarded)(?:ur[il]|path|host|server|prefix)|host|rewrite|accelredirect|sendfile)$/
/** The parameter `_method` as PHP, Rack and qs would read it: dots, brackets and spaces are underscores, and an index may follow. */
const parameterName = /^_+(?:http_?)?method(?:_?override)?(?:_.*)?$/s

/** Returns the first field that some servers read as a request for another path or host; null if there is no such field. */
export function pathOverride(headers: Fields): string | null {
  return headers.find(([name]) => pathName.test(withoutSeparators(name)))?.[0].toLowerCase() ?? null
}

/** Returns true for a field that may make a server read the request with another method or path. */
export const overrides = (name: string): boolean => [methodName, pathName].some((each) => each.test(withoutSeparators(name)))

/**
 * Returns every method in override fields and parameters, in upper case, without duplicates. Null if a value is not a single plain
 * method, because it is unknown how a server reads `DELETE, x`. Also null if there are too many to leave room for the request's own.
 * @param query query including its `?`, or empty.
 */
export function methodOverrides(headers: Fields, query: string): readonly string[] | null {
  const named = headers.filter(([name]) => methodName.test(withoutSeparators(name))).map(([, value]) => value)
  const methods = new Set<string>()
  for (const value of [...named, ...queryValues(query)]) {
    const method = value.trim().toUpperCase()
    methods.add(method)
    if (!plainMethod.test(method) || methods.size >= maxMethods) return null
  }
  return [...methods]
}

function queryValues(query: string): string[] {
  const values: string[] = []
  for (const part of query.slice(1).split(/[&;]/)) {
    const text = decoded(part)
    const end = text.indexOf('=')
    const name = end < 0 ? text : text.slice(0, end)
    const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '_')
    if (parameterName.test(plain) || methodName.test(withoutSeparators(name))) values.push(end < 0 ? '' : text.slice(end + 1))
  }
  return values
}

/** Decodes the text as often as a chain of servers might. Invalid escapes are kept. */
function decoded(text: string): string {
  let read = text.replaceAll('+', ' ')
  for (let times = 0; times < 3 && read.includes('%'); times++) {
    read = read.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return read
}
