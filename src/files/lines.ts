/** Splits a stream into lines. Buffers at most `limit` bytes of one line, in addition to the newest chunk. */
export class Lines {
  readonly #limit: number
  #parts: Buffer[] = []
  #held = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Returns the lines that end in this chunk, without their newlines.
   * @throws Error for a line longer than the limit; the stream cannot be used afterwards
   */
  take(chunk: Buffer): readonly string[] {
    const found: string[] = []
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      this.#keep(chunk.subarray(from, end))
      found.push(Buffer.concat(this.#parts).toString('utf8'))
      this.#parts = []
      this.#held = 0
      from = end + 1
    }
    // This is a copy, because the chunk may be a small part of a large buffer.
    if (from < chunk.length) this.#keep(Buffer.from(chunk.subarray(from)))
    return found
  }

  #keep(part: Buffer): void {
    this.#held += part.length
    if (this.#held > this.#limit) throw new Error('a line is too long')
    this.#parts.push(part)
  }
}
