/** A request target in the canonical form that is judged and then forwarded. */
export interface CanonicalTarget {
  readonly path: string
  /** The query with its `?`. Empty if there is no query. Forwarded unchanged. */
  readonly query: string
}

const maxTarget = 32 * 1_024
const maxPath = 8 * 1_024
/** Matches text without the bytes C0 and C1, which never occur in UTF-8: overlong encodings of a dot or a slash start with them. */
const allowedPath = /^\/[\x21-\x7e\x80-\xbf\xc2-\xff]*$/
const allowedQuery = /^(?:\?[\x21-\x7e\x80-\xff]*)?$/
/** NUL, control characters, and bytes that never occur in UTF-8 text: only overlong encodings of ASCII start with them. */
const neverMeant = /%(?:[01][0-9a-f]|7f|c[01])/i

/**
 * Returns the target of a request (origin form) in canonical form, according to RFC 3986, section 6.2.2, and more: escapes of
 * unreserved characters are decoded, others are upper-case, bytes beyond ASCII are escaped, dot segments are removed, repeated slashes are
 * merged. Null for a target without a single meaning: broken escapes, control characters, backslashes, fragments, overlong UTF-8.
 */
export function canonicalTarget(target: string): CanonicalTarget | null {
  if (target.length > maxTarget) return null
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark)
  if (path.length > maxPath) return null
  if (!allowedPath.test(path) || !allowedQuery.test(query) || /[\\#]/.test(path) || query.includes('#')) return null
  if (/%(?![0-9A-Fa-f]{2})/.test(path) || neverMeant.test(path)) return null
  return { path: canonicalPath(path), query: query.replace(/[\x80-\xff]/g, escapeByte) }
}

/** Returns the canonical form of a path that starts with a slash and has only complete escapes. Idempotent. */
export function canonicalPath(path: string): string {
  const escapes = path
    .replace(/%[0-9A-Fa-f]{2}/g, (coded) => {
      const character = String.fromCharCode(Number.parseInt(coded.slice(1), 16))
      return /[A-Za-z0-9._~-]/.test(character) ? character : coded.toUpperCase()
    })
    .replace(/[\x80-\xff]/g, escapeByte)
  return withoutDots(escapes)
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/**
 * Removes dot segments first and then merges repeated slashes, like a server for which `//` contains an empty segment that `..` removes.
 */
function withoutDotsFirst(path: string): string {
  const kept: string[] = []
  for (const part of path.split('/').slice(1)) {
    if (part === '..') kept.pop()
    else if (part !== '.') kept.push(part)
  }
  return withoutDots(`/${kept.join('/')}${/\/\.{1,2}$/.test(path) ? '/' : ''}`)
}

function withoutDots(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  const last = path.endsWith('/') || parts.at(-1) === '.' || parts.at(-1) === '..'
  const kept: string[] = []
  for (const part of parts) {
    if (part === '..') kept.pop()
    else if (part !== '.') kept.push(part)
  }
  return kept.length === 0 ? '/' : `/${kept.join('/')}${last ? '/' : ''}`
}

/**
 * Limits on the readings of a path. No honest path has more. Rules are matched against all readings, so their total size is limited too.
 */
const maxReadings = 32
const maxReadCharacters = 32 * 1_024
const maxReadSegments = 1_024

/**
 * Returns every path that a server might read in a canonical path: escapes decoded once more, backslashes as slashes, `;parameters` cut
 * from the segments, the final slash removed, names as on Windows, Unicode normalised, and all combinations of these. In each,
 * repeated slashes are merged both before and after dot segments are removed. The path itself comes first. Null if there are too many, or
 * if they exceed 32 KiB or 1,024 segments together.
 */
export function readingsOf(path: string): readonly string[] | null {
  const readings = new Set([path])
  let [characters, segments] = [0, 0]
  // Iterating a set includes values that are added meanwhile.
  for (const reading of readings) {
    characters += reading.length
    segments += segmentsIn(reading)
    if (readings.size > maxReadings || characters > maxReadCharacters || segments > maxReadSegments) return null
    for (const read of looser) {
      if (!read.applies.test(reading)) continue
      const text = read.to(reading)
      readings.add(withoutDots(text)).add(withoutDotsFirst(text))
    }
  }
  return [...readings]
}

function segmentsIn(path: string): number {
  let count = 0
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count++
  return count
}

/**
 * Returns the path as Windows reads it: without trailing dots and spaces in segments, and without the names of NTFS streams or attributes.
 */
function asOnWindows(path: string): string {
  const segments = path.split('/').map((segment) => {
    const stream = segment.indexOf(':')
    const name = stream >= 0 && segment.includes('$', stream) ? segment.slice(0, stream) : segment
    let end = name.length
    for (;;) {
      if (name[end - 1] === '.' || name[end - 1] === ' ') end--
      else if (name.startsWith('%20', end - 3) && end >= 3) end -= 3
      else return name.slice(0, end)
    }
  })
  return segments.join('/')
}

const beyondAscii = /(?:%[89A-F][0-9A-F])+/gi

/** Returns the path as read by a server that normalises Unicode: NFKC turns full-width letters and the like into ASCII. */
function normalised(path: string): string {
  return path.replace(beyondAscii, (coded) => {
    const bytes = Buffer.from(coded.replaceAll('%', ''), 'hex')
    const text = bytes.toString('utf8')
    return Buffer.from(text).equals(bytes) ? text.normalize('NFKC').replace(/[^\x21-\x7e]+/g, encodeURIComponent) : coded
  })
}

const looser: readonly { readonly applies: RegExp; readonly to: (path: string) => string }[] = [
  { applies: /%(?:2[1-9A-F]|[3-6][0-9A-F]|7[0-9A-E])/i, to: decodeOnce },
  { applies: /\\/, to: (path) => path.replaceAll('\\', '/') },
  { applies: /;/, to: (path) => path.replace(/;[^/]*/g, '') },
  { applies: /.\/$/, to: (path) => path.slice(0, -1) },
  { applies: /(?:[. ]|%20)(?:\/|$)|\$/, to: asOnWindows },
  { applies: /%[89A-F]/i, to: normalised },
]

function decodeOnce(path: string): string {
  return path.replace(/%(?:2[1-9A-F]|[3-6][0-9A-F]|7[0-9A-E])/gi, (coded) => String.fromCharCode(Number.parseInt(coded.slice(1), 16)))
}
