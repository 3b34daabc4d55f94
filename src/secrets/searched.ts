import type { Search } from './spelled-words.ts'

/** The minimum number of bytes that are held back. Fewer bytes at the end of a piece reveal nothing, and output is not delayed. */
const leastHeld = 4

/** A stream of bytes that is searched piece by piece, including words across the borders of pieces. */
export class SearchedStream {
  readonly #finder: () => Search
  /** The last bytes so far, enough of them to see a word that ends in the next piece completely. */
  #tail: Buffer = Buffer.alloc(0)
  /** The number of these bytes that have been released already. */
  #out = 0

  /** @param finder called for each piece, because words may be added in the meantime. */
  constructor(finder: () => Search) {
    this.#finder = finder
  }

  /** Returns true if a secret ends in this piece. Nothing is held back. */
  sees(piece: Buffer): boolean {
    const finder = this.#finder()
    if (finder.empty) return false
    const data = Buffer.concat([this.#tail, piece])
    const border = this.#tail.length
    this.#tail = Buffer.from(data.subarray(Math.max(0, data.length - finder.longest + 1)))
    return finder.ranges(data).some(([, end]) => end > border)
  }

  /** Returns the bytes of this piece and the earlier ones that can be released now, with every word in them overwritten with asterisks. */
  mask(piece: Buffer): Buffer {
    const finder = this.#finder()
    if (finder.empty && this.#tail.length === 0) return piece
    const data = this.#tail.length === 0 ? piece : Buffer.concat([this.#tail, piece])
    const held = finder.partial(data, leastHeld)
    const end = Math.max(this.#out, data.length - held)
    const out = overwritten(data, this.#out, end, finder)
    // The bytes held back may end a word that started up to `longest` bytes earlier.
    const kept = Math.min(data.length, held + Math.max(0, finder.longest - 1))
    this.#tail = Buffer.from(data.subarray(data.length - kept))
    this.#out = end - (data.length - kept)
    return out
  }

  /** Returns the bytes that are still held back at the end of the stream. */
  rest(): Buffer {
    const out = overwritten(this.#tail, this.#out, this.#tail.length, this.#finder())
    this.#tail = Buffer.alloc(0)
    this.#out = 0
    return out
  }
}

function overwritten(data: Buffer, from: number, to: number, finder: Search): Buffer {
  const found = finder.ranges(data)
  if (found.length === 0) return data.subarray(from, to)
  const copy = Buffer.from(data)
  for (const [start, end] of found) copy.fill('*', start, end)
  return copy.subarray(from, to)
}
