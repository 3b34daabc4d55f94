import type { Readable, Writable } from 'node:stream'

/** Bytes that wait for the other side. More are not read from their source. */
const mostWaiting = 4 * 1024 ** 2

/**
 * The bytes of one direction of a cell, each kept until the other side has it. If the connection is lost, the next one goes on where that
 * one ended, without a gap and without anything twice.
 */
export class Spool {
  readonly #source: Readable
  readonly #most: number
  readonly #chunks: Buffer[] = []
  /** Number of chunks before the first one that is kept, and the offset of its first byte. */
  #dropped = 0
  #first = 0
  #end = 0
  #isOver = false
  #changed = Promise.withResolvers<void>()

  /** @param most bytes that may wait. */
  constructor(source: Readable, most: number = mostWaiting) {
    this.#source = source
    this.#most = most
    const over = (): void => {
      this.#isOver = true
      this.#wake()
    }
    source.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#end += chunk.length
      if (this.#end - this.#first > most) source.pause()
      this.#wake()
    })
    source.once('end', over).once('close', over).on('error', over)
  }

  /** Lets go of the bytes before this offset, which the other side has. */
  acknowledge(offset: number): void {
    if (!(offset <= this.#end)) return
    for (let [next] = this.#chunks; next !== undefined && this.#first + next.length <= offset; [next] = this.#chunks) {
      this.#chunks.shift()
      this.#dropped++
      this.#first += next.length
    }
    if (this.#end - this.#first <= this.#most) this.#source.resume()
  }

  /**
   * Returns the bytes from this offset on, up to the end of the source. Only the newest caller may acknowledge.
   * @throws Error for an offset whose bytes are not kept
   */
  async *from(offset: number): AsyncGenerator<Buffer> {
    if (!(offset >= this.#first && offset <= this.#end)) throw new Error('bytes are asked for that are not kept')
    let [index, skipped] = [this.#dropped, offset - this.#first]
    for (;;) {
      const chunk = this.#chunks[index - this.#dropped]
      if (chunk === undefined) {
        if (this.#isOver || index < this.#dropped) return
        await this.#changed.promise
      } else {
        index++
        if (skipped < chunk.length) yield chunk.subarray(skipped)
        skipped = Math.max(0, skipped - chunk.length)
      }
    }
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/** Resolves when a stream takes more, or never will. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.once('drain', resolve).once('close', resolve)
  await promise
  stream.off('drain', resolve).off('close', resolve)
}
