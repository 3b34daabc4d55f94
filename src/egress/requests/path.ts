/** A request target in the one spelling that is judged and then forwarded. */
export interface CanonicalTarget {
  readonly path: string
  /** With its `?`. Empty if there is no query. Forwarded as it came. */
  readonly query: string
}

const maxTarget = 32 * 1_024
const maxPath = 8 * 1_024
/** Without the bytes C0 and C1, which never occur in UTF-8 text: an overlong spelling of a dot or a slash begins with them. */
const allowedPath = /^\/[\x21-\x7e\x80-\xbf\xc2-\xff]*$/
const allowedQuery = /^(?:\?[\x21-\x7e\x80-\xff]*)?$/
/** NUL, control characters, and bytes that no UTF-8 text has: only overlong spellings of ASCII begin with them. */
const neverMeant = /%(?:[01][0-9a-f]|7f|c[01])/i

/**
 * Brings the target of a request (origin form) into one spelling, after RFC 3986, section 6.2.2, and one step further: escapes of
 * unreserved characters are decoded, others upper-case, bytes beyond ASCII are escaped, dot segments removed, repeated slashes made one.
 * Null for what has no single meaning: broken escapes, control characters, backslashes, fragments, overlong UTF-8.
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

/** The canonical spelling of a path that begins with a slash and whose escapes are whole. Idempotent. */
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

/** More readings than this have no honest use; nor have more characters and segments of all of them, which rules are held against. */
const maxReadings = 32
const maxReadCharacters = 32 * 1_024
const maxReadSegments = 1_024

/**
 * Returns everything that a server might take a canonical path for: escapes decoded once more, backslashes as slashes, `;parameters` cut from
 * the segments, the final slash left out, names as Windows has them, Unicode normalised, and all of these after one another. The path itself
 * comes first. Null if there are too many, or if they come to more than 32 KiB or 1,024 segments together.
 */
export function readingsOf(path: string): readonly string[] | null {
  const readings = new Set([path])
  let [characters, segments] = [0, 0]
  // A set yields what is added to it meanwhile.
  for (const reading of readings) {
    characters += reading.length
    segments += segmentsIn(reading)
    if (readings.size > maxReadings || characters > maxReadCharacters || segments > maxReadSegments) return null
    for (const read of looser) if (read.applies.test(reading)) readings.add(read.to(reading))
  }
  return [...readings]
}

function segmentsIn(path: string): number {
  let count = 0
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count++
  return count
}

/** As Windows reads it: without dots and blanks at the end of a segment, and without the name of a stream or an attribute of NTFS. */
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
  return withoutDots(segments.join('/'))
}

const beyondAscii = /(?:%[89A-F][0-9A-F])+/gi

/** As servers read it that normalise Unicode: NFKC makes ASCII of full-width letters and the like. */
function normalised(path: string): string {
  const read = path.replace(beyondAscii, (coded) => {
    const bytes = Buffer.from(coded.replaceAll('%', ''), 'hex')
    const text = bytes.toString('utf8')
    return Buffer.from(text).equals(bytes) ? text.normalize('NFKC').replace(/[^\x21-\x7e]+/g, encodeURIComponent) : coded
  })
  return withoutDots(read)
}

const looser: readonly { readonly applies: RegExp; readonly to: (path: string) => string }[] = [
  { applies: /%(?:2[1-9A-F]|[3-6][0-9A-F]|7[0-9A-E])/i, to: (path) => withoutDots(decodeOnce(path)) },
  { applies: /\\/, to: (path) => withoutDots(path.replaceAll('\\', '/')) },
  { applies: /;/, to: (path) => withoutDots(path.replace(/;[^/]*/g, '')) },
  { applies: /.\/$/, to: (path) => path.slice(0, -1) },
  { applies: /(?:[. ]|%20)(?:\/|$)|\$/, to: asOnWindows },
  { applies: /%[89A-F]/i, to: normalised },
]

function decodeOnce(path: string): string {
  return path.replace(/%(?:2[1-9A-F]|[3-6][0-9A-F]|7[0-9A-E])/gi, (coded) => String.fromCharCode(Number.parseInt(coded.slice(1), 16)))
}
