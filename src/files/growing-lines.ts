import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { Lines } from './lines.ts'

const chunk = 256 * 1024

/** The complete lines of a file that another process appends to. A link is not followed. */
export class GrowingLines {
  readonly #file: string
  readonly #limit: number
  #lines: Lines
  #at = 0

  /** `limit`: the maximum length of a line in bytes. */
  constructor(file: string, limit: number) {
    this.#file = file
    this.#limit = limit
    this.#lines = new Lines(limit)
  }

  /**
   * Yields the new lines since the last call; none if the file is missing. Skips a line over the limit, and lines that were read with it.
   */
  async *more(): AsyncGenerator<string> {
    const handle = await open(this.#file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
    if (handle === null) return
    try {
      const facts = await handle.stat()
      if (!facts.isFile()) return
      // The file was truncated.
      if (facts.size < this.#at) this.#restart(0)
      const buffer = Buffer.allocUnsafe(chunk)
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, chunk, this.#at)
        if (bytesRead === 0) return
        this.#at += bytesRead
        let found: readonly string[] = []
        try {
          found = this.#lines.take(Buffer.from(buffer.subarray(0, bytesRead)))
        } catch {
          this.#restart(this.#at)
        }
        yield* found
      }
    } finally {
      await handle.close()
    }
  }

  #restart(at: number): void {
    this.#at = at
    this.#lines = new Lines(this.#limit)
  }
}
