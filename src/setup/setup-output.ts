import { printable } from '../base/text.ts'

const keptBytes = 16 * 1024
const shownLines = 12

/** Keeps the end of the output of a program. */
export class OutputTail {
  #newest = Buffer.alloc(0)

  /** Reads a stream to its end. A stream that fails ends. */
  async drain(chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
    try {
      for await (const each of chunks) {
        const chunk = typeof each === 'string' ? Buffer.from(each) : Buffer.from(each.buffer, each.byteOffset, each.byteLength)
        this.#newest = Buffer.concat([this.#newest, chunk.subarray(-keptBytes)]).subarray(-keptBytes)
      }
    } catch {
      // The cell is gone.
    }
  }

  get text(): string {
    return this.#newest.toString('utf8')
  }
}

/** Returns the last lines for the end of a message, each on a line of its own; empty if there was no output. */
export function lastLines({ text }: OutputTail): string {
  const lines = text.split('\n').filter((each) => each.trim() !== '')
  return lines
    .slice(-shownLines)
    .map((each) => `\n  ${printable(each).slice(0, 300)}`)
    .join('')
}
