import { wireName } from '../policy/host-pattern.ts'

interface ClientHello {
  /** The lower-case host name, or null if the extension is absent. */
  readonly serverName: string | null
  readonly alpn: readonly string[]
  /**
   * True if encrypted_client_hello is present. Browsers also send it as mere padding (GREASE), which looks the same, so it is allowed
   * and the outer name is checked. A server that has the ECH keys of the outer name could serve an inner one.
   */
  readonly hasEch: boolean
}

export type HelloResult =
  | { readonly kind: 'need-more' }
  | { readonly kind: 'not-tls' }
  | { readonly kind: 'malformed'; readonly why: string }
  | { readonly kind: 'hello'; readonly hello: ClientHello }

const maxHelloBytes = 64 * 1_024
const maxRecordBytes = 16 * 1_024
const needMore: HelloResult = { kind: 'need-more' }

/**
 * Reads a TLS ClientHello (RFC 8446, section 4.1.2; RFC 6066, section 3) from the start of a stream, however the stream is split into
 * records and segments. At most 64 KiB are read. Anything that two parsers could read differently is malformed.
 */
export class HelloReader {
  #record = Buffer.alloc(0)
  #message = Buffer.alloc(0)
  #consumed = 0
  #done: HelloResult | null = null

  /** Takes the next bytes. A result other than `need-more` is final. */
  push(bytes: Uint8Array): HelloResult {
    if (this.#done !== null) return this.#done
    this.#record = this.#record.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#record, bytes])
    const result = this.#read()
    if (result.kind === 'need-more') return result
    this.#done = result
    this.#record = this.#message = Buffer.alloc(0)
    return this.#done
  }

  #read(): HelloResult {
    for (;;) {
      const first = this.#message.length === 0
      const [type, major] = this.#record
      if (type === undefined) return needMore
      if (type !== 22 || (major !== undefined && major !== 3))
        return first ? { kind: 'not-tls' } : malformed('a record of another kind inside the hello')
      if (this.#record.length < 5) return needMore
      const length = this.#record.readUInt16BE(3)
      if (length === 0 || length > maxRecordBytes) return malformed('a record of impossible length')
      if (this.#consumed + 5 + length > maxHelloBytes) return malformed('longer than 64 KiB')
      if (this.#record.length < 5 + length) return needMore
      this.#consumed += 5 + length
      this.#message = Buffer.concat([this.#message, this.#record.subarray(5, 5 + length)])
      this.#record = this.#record.subarray(5 + length)
      if (this.#message[0] !== 1) return malformed('the first message is not a ClientHello')
      if (this.#message.length < 4) continue
      const wanted = 4 + this.#message.readUIntBE(1, 3)
      if (this.#message.length > wanted) return malformed('bytes behind the hello in its record')
      if (this.#message.length === wanted) return readHello(this.#message.subarray(4))
    }
  }
}

function malformed(why: string): HelloResult {
  return { kind: 'malformed', why }
}

/** A cursor that returns null once a read does not fit the remaining bytes. */
class Fields {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Buffer | null {
    if (this.#at + length > this.#bytes.length) return null
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  number(size: 1 | 2): number | null {
    return this.take(size)?.readUIntBE(0, size) ?? null
  }

  /** Returns the bytes that follow a length of `size` bytes. */
  vector(size: 1 | 2): Buffer | null {
    const length = this.number(size)
    return length === null ? null : this.take(length)
  }
}

function readHello(bytes: Buffer): HelloResult {
  const fields = new Fields(bytes)
  const fixed = fields.take(34)
  const session = fields.vector(1)
  const suites = fields.vector(2)
  const compressions = fields.vector(1)
  if (!fixed || !session || session.length > 32 || !suites || suites.length < 2 || suites.length % 2 !== 0 || !compressions?.length) {
    return malformed('the hello does not parse')
  }
  const hello = { serverName: null as string | null, alpn: [] as string[], hasEch: false }
  if (fields.atEnd) return { kind: 'hello', hello }
  const block = fields.vector(2)
  if (block === null || !fields.atEnd) return malformed('the extensions do not parse')
  const seen = new Set<number>()
  const extensions = new Fields(block)
  while (!extensions.atEnd) {
    const type = extensions.number(2)
    const content = extensions.vector(2)
    if (type === null || content === null) return malformed('an extension does not parse')
    if (seen.has(type)) return malformed('an extension occurs twice')
    seen.add(type)
    if (type === 0) {
      const name = readServerName(content)
      if (name === null) return malformed('the server name is not exactly one host name')
      hello.serverName = name
    } else if (type === 16) {
      const protocols = readAlpn(content)
      if (protocols === null) return malformed('the protocol list does not parse')
      hello.alpn = protocols
    } else if (type === 0xfe0d) hello.hasEch = true
  }
  return { kind: 'hello', hello }
}

function readServerName(content: Buffer): string | null {
  const outer = new Fields(content)
  const list = outer.vector(2)
  if (list === null || !outer.atEnd) return null
  const names = new Fields(list)
  const type = names.number(1)
  const name = names.vector(2)
  return type === 0 && name !== null && names.atEnd ? wireName(name.toString('latin1')) : null
}

function readAlpn(content: Buffer): string[] | null {
  const outer = new Fields(content)
  const list = outer.vector(2)
  if (list === null || !outer.atEnd) return null
  const protocols: string[] = []
  const fields = new Fields(list)
  while (!fields.atEnd) {
    const name = fields.vector(1)
    if (name === null || name.length === 0) return null
    protocols.push(name.toString('latin1'))
  }
  return protocols
}
