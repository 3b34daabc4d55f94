import type { DenyReason } from '../summary.ts'
import { type Framing, maxHeadBytes, type RequestHead, readFields, readRequestHead } from './http-head.ts'

/** What a connection stands for: the name that its address means, and the port that was dialled. */
export interface Destination {
  readonly host: string
  readonly port: number
}

export interface Refusal {
  readonly reason: DenyReason
  readonly detail: string
}

export interface Fed {
  /** Bytes that may go on, in order; together with what is held they are exactly what came in. */
  readonly forward: readonly Buffer[]
  /** Set once: the stream is to be cut after `forward`. */
  readonly refusal: Refusal | null
  /** True if `forward` ends with a websocket upgrade. Feed `rest` only when the answer is known. */
  readonly upgrade: boolean
  /** What was not looked at: behind an upgrade, or because no further request may begin. */
  readonly rest: Buffer | null
}

type Step = { readonly used: number } | { readonly refusal: Refusal } | 'need-more'

/** Refuses a request that names anything but the destination of its connection. */
export function refuseHead(head: RequestHead, destination: Destination): Refusal | null {
  const other = head.authorities.find(({ host, port }) => host !== destination.host || (port !== null && port !== destination.port))
  if (other === undefined) return null
  return { reason: 'host-mismatch', detail: `the request names ${other.host}${other.port === null ? '' : `:${other.port}`}` }
}

/**
 * Follows what a client says on a plaintext HTTP/1.1 connection, request by request, so that each one is checked and not just the
 * first. Heads are held until they are whole and checked, at most 64 KiB; bodies pass as they come.
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
   * @param options `upgradesLater`: the caller follows the answers too, so any request may ask for a websocket. `mayBegin`: asked before each
   * request. If it returns false, the rest is handed back to be fed later.
   */
  constructor(destination: Destination, options: { readonly upgradesLater?: boolean; readonly mayBegin?: () => boolean } = {}) {
    this.#destination = destination
    this.#upgradesLater = options.upgradesLater ?? false
    this.#mayBegin = options.mayBegin ?? (() => true)
  }

  /** Heads that have passed. */
  get requests(): number {
    return this.#requests
  }

  /** Bytes that are held because they are not whole. */
  get heldBytes(): number {
    return this.#held.length
  }

  /** Takes the next bytes of the client. Never throws; after a refusal nothing goes on. */
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
    // Only the first answer of a connection can be told apart without following answers too.
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

  /** The line of a chunk's size, without extensions, which nobody needs and readers disagree on; or the line end behind its data. */
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
