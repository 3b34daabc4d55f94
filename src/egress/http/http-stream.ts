import type { DenyReason } from '../egress-summary.ts'
import { type Framing, maxHeadBytes, type RequestHead, readFields, readRequestHead } from './http-head.ts'

/** The destination of a connection: the name that its address represents, and the port that was dialled. */
export interface Destination {
  readonly host: string
  readonly port: number
}

export interface Refusal {
  readonly reason: DenyReason
  readonly detail: string
}

export interface Fed {
  /** Bytes to forward, in order. Together with the bytes that are still held they are exactly the input. */
  readonly forward: readonly Buffer[]
  /** The refusal, which occurs once. The stream must be cut after `forward`. */
  readonly refusal: Refusal | null
  /** True if `forward` ends with a websocket request. In that case feed `rest` only when the answer is known. */
  readonly upgrade: boolean
  /** Bytes that were not examined, either after an upgrade or because the next request may not start yet. */
  readonly rest: Buffer | null
}

type Step = { readonly used: number } | { readonly refusal: Refusal } | 'need-more'

/** Returns a refusal if the request names anything other than the destination of its connection. */
export function refuseHead(head: RequestHead, destination: Destination): Refusal | null {
  const other = head.authorities.find(({ host, port }) => host !== destination.host || (port !== null && port !== destination.port))
  if (other === undefined) return null
  return { reason: 'host-mismatch', detail: `the request names ${other.host}${other.port === null ? '' : `:${other.port}`}` }
}

/**
 * Follows the client's side of a plaintext HTTP/1.1 connection, so that every request is checked, not just the
 * first. Heads are held until they are complete and checked, at most 64 KiB. Bodies pass as they arrive.
 */
export class HttpStream {
  readonly #destination: Destination
  readonly #upgradesLater: boolean
  readonly #mayBegin: () => boolean
  #state: 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer' = 'head'
  #left = 0
  #held: Buffer = Buffer.alloc(0)
  #scanned = 0
  #requests = 0
  #upgrade = false
  #refusal: Refusal | null = null

  /**
   * @param options `upgradesLater`: the caller follows the answers too, so any request may ask for a websocket. `mayBegin`: called before
   *   each request. If it returns false, the rest is returned and must be fed later.
   */
  constructor(destination: Destination, options: { readonly upgradesLater?: boolean; readonly mayBegin?: () => boolean } = {}) {
    this.#destination = destination
    this.#upgradesLater = options.upgradesLater ?? false
    this.#mayBegin = options.mayBegin ?? (() => true)
  }

  /** Returns the number of heads that have passed. */
  get requests(): number {
    return this.#requests
  }

  /** Number of bytes that are held because they are incomplete. */
  get heldBytes(): number {
    return this.#held.length
  }

  /** Takes the client's next bytes. Never throws. After a refusal nothing is forwarded. */
  feed(chunk: Buffer): Fed {
    if (this.#refusal !== null) return { forward: [], refusal: this.#refusal, upgrade: false, rest: null }
    const forward: Buffer[] = []
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = Buffer.alloc(0)
    while (bytes.length > 0) {
      if (this.#state === 'head' && !this.#mayBegin()) return { forward, refusal: null, upgrade: false, rest: Buffer.from(bytes) }
      const step = this.#step(bytes)
      if (step === 'need-more') {
        this.#scanned = bytes.length
        this.#held = Buffer.from(bytes)
        break
      }
      this.#scanned = 0
      if ('refusal' in step) {
        this.#refusal = step.refusal
        break
      }
      forward.push(bytes.subarray(0, step.used))
      bytes = bytes.subarray(step.used)
      if (this.#upgrade) {
        this.#upgrade = false
        return { forward, refusal: null, upgrade: true, rest: bytes }
      }
    }
    return { forward, refusal: this.#refusal, upgrade: false, rest: null }
  }

  #step(bytes: Buffer): Step {
    if (this.#state === 'head') return this.#head(bytes)
    if (this.#state === 'length' || this.#state === 'chunk-data') return this.#data(bytes)
    if (this.#state === 'trailer') return this.#trailer(bytes)
    return this.#line(bytes)
  }

  #head(bytes: Buffer): Step {
    const result = readRequestHead(bytes, this.#scanned)
    if (result.kind === 'need-more') return 'need-more'
    if (result.kind === 'malformed') return refuse('malformed', result.why)
    const refusal = refuseHead(result.head, this.#destination)
    if (refusal !== null) return { refusal }
    // Only the first answer of a connection can be identified without following the answers too.
    if (result.head.websocket && this.#requests > 0 && !this.#upgradesLater) return refuse('malformed', 'an upgrade after other requests')
    this.#upgrade = result.head.websocket
    this.#requests++
    this.#enter(result.head.framing)
    return { used: result.bytes }
  }

  #enter(framing: Framing): void {
    this.#state = framing.kind === 'length' ? 'length' : framing.kind === 'chunked' ? 'chunk-size' : 'head'
    this.#left = framing.kind === 'length' ? framing.bytes : 0
  }

  #data(bytes: Buffer): Step {
    const used = Math.min(this.#left, bytes.length)
    this.#left -= used
    if (this.#left === 0) this.#state = this.#state === 'length' ? 'head' : 'chunk-end'
    return { used }
  }

  /** Reads a chunk-size line (without extensions, on which parsers disagree) or the line end after the chunk's data. */
  #line(bytes: Buffer): Step {
    const wantsSize = this.#state === 'chunk-size'
    const end = bytes.indexOf(0x0a)
    const line = bytes.toString('latin1', 0, end < 0 ? Math.min(bytes.length, 12) : end + 1)
    const shape = wantsSize ? /^([0-9A-Fa-f]{1,8})\r\n$/ : /^()\r\n$/
    const found = shape.exec(line)
    if (found === null) {
      const mayStillFit = end < 0 && (wantsSize ? /^[0-9A-Fa-f]{1,8}\r?$/ : /^\r$/).test(line)
      return mayStillFit ? 'need-more' : refuse('malformed', 'a chunk')
    }
    this.#left = wantsSize ? Number.parseInt(found[1] ?? '', 16) : 0
    this.#state = !wantsSize ? 'chunk-size' : this.#left === 0 ? 'trailer' : 'chunk-data'
    return { used: line.length }
  }

  #trailer(bytes: Buffer): Step {
    const end = bytes.subarray(0, 2).toString('latin1') === '\r\n' ? 0 : bytes.indexOf('\r\n\r\n', Math.max(0, this.#scanned - 3))
    if (end < 0) return bytes.length >= maxHeadBytes ? refuse('malformed', 'a trailer longer than 64 KiB') : 'need-more'
    if (end > maxHeadBytes) return refuse('malformed', 'a trailer longer than 64 KiB')
    const fields = end === 0 ? new Map() : readFields(bytes.toString('latin1', 0, end).split('\r\n'))
    if (typeof fields === 'string') return refuse('malformed', `${fields} of a trailer`)
    if (['host', 'content-length', 'transfer-encoding'].some((name) => fields.has(name))) return refuse('malformed', 'framing in a trailer')
    this.#state = 'head'
    return { used: end === 0 ? 2 : end + 4 }
  }
}

function refuse(reason: DenyReason, detail: string): { readonly refusal: Refusal } {
  return { refusal: { reason, detail } }
}
