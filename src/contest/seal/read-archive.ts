import { createHash } from 'node:crypto'
import { closeSync, constants, fchmodSync, openSync, readSync, writeSync } from 'node:fs'
import { Pause } from '../../files/pause-between.ts'
import type { SealedFile } from './seal-schema.ts'
import { tarEnd, tarHeader, tarPadding } from './seal-tar.ts'

/** Thrown if an archive differs from the one that was written for its seal. */
export class ArchiveChanged extends Error {}

const chunk = 1024 * 1024

/**
 * Unpacks an archive that `writeArchive` made, in constant memory. `place` returns the new path of each file; its directory must exist.
 * Nothing in the archive is interpreted: each header, the padding and the end must be exactly the bytes that the writer makes for the
 * seal's files, and each content must match its SHA-256. Throws `ArchiveChanged` at the first byte that differs, or the system's error.
 */
export async function readArchive(archive: string, files: readonly SealedFile[], place: (file: SealedFile) => string): Promise<void> {
  const source = openSync(archive, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const from = new Reader(source)
    const pause = new Pause()
    for (const file of files) {
      from.expect(tarHeader(file))
      await from.copy(file, place(file), pause)
      from.expect(tarPadding(file.size))
    }
    from.expect(tarEnd)
    from.expectEnd()
  } finally {
    closeSync(source)
  }
}

class Reader {
  readonly #source: number
  readonly #buffer = Buffer.allocUnsafe(chunk)

  constructor(source: number) {
    this.#source = source
  }

  expect(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) {
      const read = this.#read(bytes.length - done)
      if (!this.#buffer.subarray(0, read).equals(bytes.subarray(done, done + read))) throw new ArchiveChanged()
      done += read
    }
  }

  expectEnd(): void {
    if (readSync(this.#source, this.#buffer, 0, 1, null) !== 0) throw new ArchiveChanged()
  }

  async copy({ size, mode, sha256 }: SealedFile, target: string, pause: Pause): Promise<void> {
    const bits = mode === '0755' ? 0o755 : 0o644
    const out = openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, bits)
    try {
      fchmodSync(out, bits)
      const digest = createHash('sha256')
      for (let left = size; left > 0; ) {
        await pause.now()
        const bytes = this.#buffer.subarray(0, this.#read(left))
        digest.update(bytes)
        for (let done = 0; done < bytes.length; ) done += writeSync(out, bytes, done)
        left -= bytes.length
      }
      if (digest.digest('hex') !== sha256) throw new ArchiveChanged()
    } finally {
      closeSync(out)
    }
  }

  /** Reads at least one byte and at most `most` bytes into the buffer. Returns the number of bytes read. */
  #read(most: number): number {
    const read = readSync(this.#source, this.#buffer, 0, Math.min(most, chunk), null)
    if (read === 0) throw new ArchiveChanged()
    return read
  }
}
