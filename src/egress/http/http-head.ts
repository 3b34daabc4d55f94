import { wireName } from '../policy/host-pattern.ts'

/** The rule that determines the end of the body after a request head (RFC 9112, section 6). */
export type Framing = { readonly kind: 'none' } | { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'chunked' }

export interface RequestHead {
  readonly method: string
  /** Every authority in the request (Host, and the target if it is absolute): the host in lower case, and the port if given. */
  readonly authorities: readonly Authority[]
  readonly framing: Framing
  /** True if the request has `Upgrade: websocket`. */
  readonly websocket: boolean
}

interface Authority {
  readonly host: string
  readonly port: number | null
}

export type HeadResult =
  | { readonly kind: 'need-more' }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'head'; readonly head: RequestHead; readonly bytes: number }

/** The maximum size of a head (or of a trailer section) in bytes. */
export const maxHeadBytes = 64 * 1_024

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
const headEnd = Buffer.from('\r\n\r\n')

/**
 * Reads the head of an HTTP/1.1 request (RFC 9112) from the start of `bytes`. It is stricter than the RFC: anything that a server might
 * read differently (two Host fields, a length together with chunks, bare CR or LF, folded lines, space before a
 * colon, encodings other than exactly `chunked`, CONNECT, an HTTP/2 preface) is malformed.
 * @param scanned number of bytes that an earlier call has searched for the end, so that a slow sender does not cause repeated searches.
 */
export function readRequestHead(bytes: Buffer, scanned = 0): HeadResult {
  const end = bytes.indexOf(headEnd, Math.max(0, scanned - 3))
  if (end < 0) {
    if (bytes.length >= maxHeadBytes) return malformed('a head longer than 64 KiB')
    return hasBareBreak(bytes, Math.max(0, scanned - 1)) ? malformed('a bare CR or LF') : { kind: 'need-more' }
  }
  const total = end + headEnd.length
  if (total > maxHeadBytes) return malformed('a head longer than 64 KiB')
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const start = requestLine.exec(first)
  if (start === null) return malformed('the request line')
  const [, method = '', target = '', minor = ''] = start
  if (method === 'CONNECT') return malformed('CONNECT')
  const fields = readFields(lines)
  if (typeof fields === 'string') return malformed(fields)
  const framing = readFraming(fields, minor)
  if (typeof framing === 'string') return malformed(framing)
  const authorities = readAuthorities(fields, target)
  if (typeof authorities === 'string') return malformed(authorities)
  const websocket = (fields.get('upgrade') ?? []).some((value) => /(?:^|[\s,])websocket(?:$|[\s,/])/i.test(value))
  if (websocket && framing.kind !== 'none') return malformed('an upgrade with a body')
  return { kind: 'head', head: { method, authorities, framing, websocket }, bytes: total }
}

function malformed(why: string): HeadResult {
  return { kind: 'malformed', why }
}

/** Returns true if there is a bare CR or LF. A CR at the end of the bytes may still be followed by its LF. */
function hasBareBreak(bytes: Buffer, from: number): boolean {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x0a && bytes[at - 1] !== 0x0d) return true
    if (bytes[at] === 0x0d && at + 1 < bytes.length && bytes[at + 1] !== 0x0a) return true
  }
  return false
}

/** Returns field lines by lower-case name, or a description of the error. Also used for the trailer section of chunked bodies. */
export function readFields(lines: readonly string[]): Map<string, string[]> | string {
  const fields = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    const value = line.slice(colon + 1)
    if (!token.test(name)) return 'a field name'
    if (!fieldValue.test(value)) return 'a field value'
    const known = fields.get(name.toLowerCase())
    if (known === undefined) fields.set(name.toLowerCase(), [trimmed(value)])
    else known.push(trimmed(value))
  }
  return fields
}

function trimmed(value: string): string {
  return value.replace(/^[\t ]+|[\t ]+$/g, '')
}

function readFraming(fields: Map<string, string[]>, minor: string): Framing | string {
  const lengths = fields.get('content-length') ?? []
  const encodings = fields.get('transfer-encoding') ?? []
  if (lengths.length > 0 && encodings.length > 0) return 'a length beside a transfer encoding'
  if (encodings.length > 0) {
    if (minor === '0' || encodings.length > 1 || encodings[0]?.toLowerCase() !== 'chunked') return 'a transfer encoding'
    return { kind: 'chunked' }
  }
  const [length] = lengths
  if (length === undefined) return { kind: 'none' }
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) return 'the content length'
  return Number(length) === 0 ? { kind: 'none' } : { kind: 'length', bytes: Number(length) }
}

function readAuthorities(fields: Map<string, string[]>, target: string): Authority[] | string {
  const hosts = fields.get('host') ?? []
  const host = hosts.length === 1 ? readAuthority(hosts[0] ?? '') : null
  if (host === null) return hosts.length === 0 ? 'no Host' : 'the Host'
  if (target.startsWith('/') || target === '*') return [host]
  const absolute = /^http:\/\/([^/?#]*)(?:[/?].*)?$/i.exec(target)
  const named = absolute === null ? null : readAuthority(absolute[1] ?? '')
  return named === null ? 'the request target' : [host, named]
}

function readAuthority(text: string): Authority | null {
  const [, name = '', port] = /^([^:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = wireName(name)
  return host === null ? null : { host, port: port === undefined ? null : Number(port) }
}
