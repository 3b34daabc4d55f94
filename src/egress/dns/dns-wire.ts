/** The question of a query, including its original bytes, because the answer must repeat them exactly. */
interface DnsQuestion {
  readonly id: number
  readonly recursionDesired: boolean
  /** The name in its original case. Null if a label contains bytes other than letters, digits, `-` and `_`. */
  readonly name: string | null
  readonly type: number
  readonly bytes: Uint8Array
  /** True if the query contains an OPT record (RFC 6891). Only then may the answer contain one. */
  readonly edns: boolean
}

export type DnsQuery =
  | { readonly kind: 'question'; readonly question: DnsQuestion }
  /** A query that must be answered with an error and without a question. */
  | { readonly kind: 'unusable'; readonly id: number; readonly rcode: number }
  /** A message that is not a query. It must not be answered, or two servers could answer each other forever. */
  | { readonly kind: 'ignore' }

export const rcodes = { noError: 0, formErr: 1, servFail: 2, nxDomain: 3, notImp: 4, refused: 5 } as const

const headerBytes = 12
const maxQueryBytes = 4_096

/**
 * Reads a query strictly (RFC 1035, section 4): opcode QUERY, exactly one question of class IN, no answers. A question's name
 * is the first name of a message, so a compression pointer has no valid target: pointers are refused,
 * and pointer loops with them. Never throws.
 */
export function readQuery(bytes: Uint8Array): DnsQuery {
  if (bytes.length < headerBytes || bytes.length > maxQueryBytes) return { kind: 'ignore' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const id = view.getUint16(0)
  const flags = view.getUint16(2)
  if ((flags & 0x8000) !== 0) return { kind: 'ignore' }
  if ((flags & 0x7800) !== 0) return { kind: 'unusable', id, rcode: rcodes.notImp }
  const unusable = { kind: 'unusable', id, rcode: rcodes.formErr } as const
  if (view.getUint16(4) !== 1 || view.getUint16(6) !== 0 || view.getUint16(8) !== 0) return unusable
  const name = readName(bytes, headerBytes)
  if (name === null || name.end + 4 > bytes.length) return unusable
  if (view.getUint16(name.end + 2) !== 1) return { kind: 'unusable', id, rcode: rcodes.refused }
  const question = {
    id,
    recursionDesired: (flags & 0x0100) !== 0,
    name: name.text,
    type: view.getUint16(name.end),
    bytes: bytes.slice(headerBytes, name.end + 4),
    edns: view.getUint16(10) > 0 && startsWithOpt(bytes.subarray(name.end + 4)),
  }
  return { kind: 'question', question }
}

function readName(bytes: Uint8Array, start: number): { text: string | null; end: number } | null {
  const labels: string[] = []
  let plain = true
  let at = start
  for (;;) {
    const length = bytes[at]
    if (length === undefined || length > 63 || at - start > 254) return null
    if (length === 0) break
    const label = bytes.subarray(at + 1, at + 1 + length)
    if (label.length < length) return null
    plain &&= label.every(isNameByte)
    labels.push(Buffer.from(label).toString('latin1'))
    at += 1 + length
  }
  return { text: plain ? labels.join('.') : null, end: at + 1 }
}

function isNameByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f
  )
}

function startsWithOpt(bytes: Uint8Array): boolean {
  return bytes.length >= 11 && bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 41
}

/** Returns the header of an answer: the same id, recursion marked as available, and the record counts. */
export function responseHeader(id: number, recursionDesired: boolean, rcode: number, counts: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(0x8080 | (recursionDesired ? 0x0100 : 0) | rcode, 2)
  const [questions, answers, additionals] = counts
  header.writeUInt16BE(questions, 4)
  header.writeUInt16BE(answers, 6)
  header.writeUInt16BE(additionals, 10)
  return header
}

/** Returns an A or AAAA record for the name of the question, which starts at byte 12 of the message. `address` has 4 or 16 bytes. */
export function addressRecord(address: Uint8Array, ttlSeconds: number): Buffer {
  const head = Buffer.from([0xc0, headerBytes, 0, address.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, address.length])
  head.writeUInt32BE(ttlSeconds, 6)
  return Buffer.concat([head, address])
}

/** Returns an OPT record (RFC 6891), with an extended error (RFC 8914) if one is given. */
export function optRecord(error?: { readonly code: number; readonly text: string }): Buffer {
  const head = Buffer.from([0, 0, 41, maxQueryBytes >> 8, maxQueryBytes & 0xff, 0, 0, 0, 0, 0, 0])
  if (error === undefined) return head
  const text = Buffer.from(error.text)
  const option = Buffer.alloc(6)
  option.writeUInt16BE(15, 0)
  option.writeUInt16BE(2 + text.length, 2)
  option.writeUInt16BE(error.code, 4)
  head.writeUInt16BE(option.length + text.length, 9)
  return Buffer.concat([head, option, text])
}
