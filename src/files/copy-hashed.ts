import { createHash, hash } from 'node:crypto'
import { closeSync, constants, fchmodSync, openSync, read, readSync, write, writeSync } from 'node:fs'
import { promisify } from 'node:util'

const readAsync = promisify(read)
const writeAsync = promisify(write)
const chunk = 1024 * 1024

/** Copies open files to new ones and hashes the content, in constant memory. One copy at a time per instance. */
export class HashedCopier {
  readonly #buffer = Buffer.allocUnsafe(chunk)

  /**
   * Copies everything from the start of `source` into `target`, which must not exist yet and gets exactly `mode`.
   * `limit` is the maximum number of bytes. If there are more, returns null, and the target is truncated. Throws the reason of
   * `signal` when it is aborted. `look` gets the bytes of a file under 1 MiB, which are valid until the next copy.
   */
  async copy(
    source: number,
    target: string,
    mode: number,
    limit: number,
    { signal, look }: { readonly signal?: AbortSignal | undefined; readonly look?: (bytes: Buffer) => void } = {},
  ): Promise<{ size: number; sha256: string } | null> {
    const out = openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode)
    try {
      fchmodSync(out, mode)
      const first = fill(source, this.#buffer)
      if (first > limit) return null
      if (first < chunk) {
        const bytes = this.#buffer.subarray(0, first)
        writeAll(out, bytes)
        look?.(bytes)
        return { size: first, sha256: hash('sha256', bytes, 'hex') }
      }
      return await this.#copyLarge(source, out, limit, signal)
    } finally {
      closeSync(out)
    }
  }

  /** Copies a file whose first chunk is already in the buffer. */
  async #copyLarge(source: number, out: number, limit: number, signal?: AbortSignal): Promise<{ size: number; sha256: string } | null> {
    const digest = createHash('sha256')
    let size = 0
    let bytes = chunk
    while (bytes > 0) {
      signal?.throwIfAborted()
      size += bytes
      if (size > limit) return null
      digest.update(this.#buffer.subarray(0, bytes))
      for (let done = 0; done < bytes; ) done += (await writeAsync(out, this.#buffer, done, bytes - done, null)).bytesWritten
      bytes = (await readAsync(source, this.#buffer, 0, chunk, null)).bytesRead
    }
    return { size, sha256: digest.digest('hex') }
  }
}

function fill(source: number, buffer: Buffer): number {
  let size = 0
  while (size < buffer.length) {
    const bytes = readSync(source, buffer, size, buffer.length - size, null)
    if (bytes === 0) break
    size += bytes
  }
  return size
}

function writeAll(out: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(out, bytes, done, bytes.length - done, null)
}
