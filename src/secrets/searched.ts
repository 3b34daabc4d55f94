import type { Search } from './spelled-words.ts'

/** Fewer bytes at the end of a piece are not held back: nothing is given away by them, and a token is not kept waiting. */
const leastHeld = 4

/** A stream of bytes that is searched piece by piece, words across the borders of pieces included. */
export class SearchedStream {
  readonly #finder: () => Search
  /** The last bytes of what came: long enough that a word which ends in the next piece is seen whole. */
  #tail: Buffer = Buffer.alloc(0)
  /** How many of these were let out already. */
  #out = 0

  /** @param finder asked for each piece; the words may become more meanwhile. */
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

  /** What may go on of this piece and of what was held back, with every word in it overwritten by as many asterisks. */
  mask(piece: Buffer): Buffer {
    const finder = this.#finder()
    if (finder.empty && this.#tail.length === 0) return piece
    const data = this.#tail.length === 0 ? piece : Buffer.concat([this.#tail, piece])
    const held = finder.partial(data, leastHeld)
    const end = Math.max(this.#out, data.length - held)
    const out = overwritten(data, this.#out, end, finder)
    // What is held back may end a word that began as far before it.
    const kept = Math.min(data.length, held + Math.max(0, finder.longest - 1))
    this.#tail = Buffer.from(data.subarray(data.length - kept))
    this.#out = end - (data.length - kept)
    return out
  }

  /** What was held back, when nothing follows. */
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
