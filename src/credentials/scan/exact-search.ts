import type { Secret } from '../../secrets/secret.ts'
import { type Pattern, patternsOf } from './patterns.ts'

/** Where a secret stands: offsets in the stream, `end` behind its last byte. */
export interface Match {
  readonly secret: string
  readonly start: number
  readonly end: number
}

/** A block of the search is two bytes. */
const blocks = 1 << 16

/**
 * Finds every spelling of some secrets in streams of any length, in constant memory. Also where blanks and line ends were put between
 * the bytes, as base64(1) and xxd(1) do. Dispose wipes the spellings.
 */
export class ExactSearch implements Disposable {
  readonly #patterns: readonly Pattern[]
  readonly #shifts = new Uint8Array(blocks)
  readonly #buckets = new Map<number, Pattern[]>()
  /** Bytes that every pattern has at least. */
  readonly #shortest: number
  readonly #longest: number

  constructor(secrets: readonly Secret[]) {
    this.#patterns = patternsOf(secrets)
    const lengths = this.#patterns.map((each) => each.bytes.length)
    this.#shortest = Math.min(64, ...lengths)
    this.#longest = Math.max(0, ...lengths)
    // Wu and Manber, A fast algorithm for multi-pattern searching (1994): how far a block of two bytes is from the end of any pattern's start.
    this.#shifts.fill(this.#shortest - 1)
    for (const pattern of this.#patterns) {
      for (let at = 0; at < this.#shortest - 1; at++) {
        const block = blockAt(pattern.bytes, at)
        const shift = this.#shortest - 2 - at
        if (shift < (this.#shifts[block] ?? 0)) this.#shifts[block] = shift
        if (shift === 0) this.#buckets.set(block, [...(this.#buckets.get(block) ?? []), pattern])
      }
    }
  }

  /** False: there is nothing to look for. */
  get isEmpty(): boolean {
    return this.#patterns.length === 0
  }

  /** A new stream to look through. */
  stream(): ExactStream {
    return new ExactStream((window, from, found) => this.#search(window, from, found), this.#longest)
  }

  /** The matches in one piece of bytes. */
  in(bytes: Buffer): readonly Match[] {
    return this.stream().push(bytes)
  }

  [Symbol.dispose](): void {
    for (const each of this.#patterns) each.bytes.fill(0)
  }

  /** Tells each match that ends behind `from`. */
  #search(window: Buffer, from: number, found: (secret: string, start: number, end: number) => void): void {
    if (this.isEmpty) return
    const back = this.#shortest - 2
    const shifts = this.#shifts
    const last = window.length - 1
    for (let at = back; at < last; ) {
      const block = ((window[at] ?? 0) << 8) | (window[at + 1] ?? 0)
      const shift = shifts[block] ?? 1
      if (shift > 0) {
        at += shift
        continue
      }
      const start = at - back
      for (const { secret, bytes } of this.#buckets.get(block) ?? []) {
        const end = start + bytes.length
        if (end > from && end <= window.length && isAt(window, start, bytes)) found(secret, start, end)
      }
      at++
    }
  }
}

function blockAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

function isAt(window: Buffer, start: number, bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) if (window[start + at] !== bytes[at]) return false
  return true
}

type Search = (window: Buffer, from: number, found: (secret: string, start: number, end: number) => void) => void

/** One stream of bytes, given piece by piece. */
export class ExactStream {
  readonly #search: Search
  readonly #keep: number
  #carry: Buffer = Buffer.alloc(0)
  #folded: Buffer = Buffer.alloc(0)
  /** Bytes of the pieces before. */
  #offset = 0

  constructor(search: Search, longest: number) {
    this.#search = search
    this.#keep = Math.max(0, longest - 1)
  }

  /** The matches that end in this piece. */
  push(piece: Buffer): readonly Match[] {
    const found: Match[] = []
    const known = new Set<string>()
    const add = (secret: string, start: number, end: number): void => {
      if (known.has(`${secret}\0${end}`)) return
      known.add(`${secret}\0${end}`)
      found.push({ secret, start, end })
    }
    const window = this.#carry.length === 0 ? piece : Buffer.concat([this.#carry, piece])
    const base = this.#offset - this.#carry.length
    this.#search(window, this.#carry.length, (secret, start, end) => add(secret, base + start, base + end))
    const folded = fold(piece)
    const all = this.#folded.length === 0 ? folded : Buffer.concat([this.#folded, folded])
    // Without blanks in it, what the piece itself holds was found above.
    if (folded.length < piece.length || this.#folded.length !== this.#carry.length || !this.#folded.equals(this.#carry)) {
      this.#search(all, this.#folded.length, (secret, _, end) => {
        const at = this.#offset + unfold(piece, end - this.#folded.length)
        add(secret, at - 1, at)
      })
    }
    this.#carry = tail(window, this.#keep)
    this.#folded = tail(all, this.#keep)
    this.#offset += piece.length
    return found
  }
}

/** A copy: what was searched is let go of. */
function tail(bytes: Buffer, length: number): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - length)))
}

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

function fold(piece: Buffer): Buffer {
  const folded = Buffer.allocUnsafe(piece.length)
  let length = 0
  for (let at = 0; at < piece.length; at++) {
    const byte = piece[at] ?? 0
    if (!isBlank(byte)) folded[length++] = byte
  }
  return folded.subarray(0, length)
}

/** How many bytes of a piece hold its first `count` that are no blanks. */
function unfold(piece: Buffer, count: number): number {
  let seen = 0
  for (let at = 0; at < piece.length; at++) {
    if (!isBlank(piece[at] ?? 0)) seen++
    if (seen === count) return at + 1
  }
  return piece.length
}
