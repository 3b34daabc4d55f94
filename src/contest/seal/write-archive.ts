import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { type TarFile, tarEnd, tarHeader, tarPadding } from './seal-tar.ts'

const chunk = 1024 * 1024

/**
 * Writes files of a directory that no longer changes into a new tar archive, in the given order and in constant memory, and syncs it to
 * disk. Directories are implied by paths. Throws the system's error, or an error if the size of a file has changed.
 */
export async function writeArchive(directory: string, files: readonly TarFile[], archive: string): Promise<void> {
  const out = await open(archive, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644)
  try {
    const into = new Buffered(out)
    for (const file of files) {
      await into.write(tarHeader(file))
      await copyFile(path.join(directory, file.path), file, into)
      await into.write(tarPadding(file.size))
    }
    await into.write(tarEnd)
    await into.flush()
    await out.sync()
  } finally {
    await out.close()
  }
}

async function copyFile(from: string, file: TarFile, into: Buffered): Promise<void> {
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if (fstatSync(source).size !== file.size) throw new Error(`${from} is not of the size that was sealed`)
    for (let left = file.size; left > 0; ) {
      const read = await into.fill((buffer, at, room) => readSync(source, buffer, at, Math.min(room, left), null))
      if (read === 0) throw new Error(`${from} is not of the size that was sealed`)
      left -= read
    }
  } finally {
    closeSync(source)
  }
}

/** A writer that combines small pieces into larger writes. */
class Buffered {
  readonly #out: FileHandle
  readonly #buffer = Buffer.allocUnsafe(chunk)
  #used = 0

  constructor(out: FileHandle) {
    this.#out = out
  }

  async write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) done += await this.fill((buffer, at, room) => bytes.copy(buffer, at, done, done + room))
  }

  /** Lets `read` put at most `room` bytes into the buffer at an offset. Returns the number of bytes that it put there. */
  async fill(read: (buffer: Buffer, at: number, room: number) => number): Promise<number> {
    if (this.#used === chunk) await this.flush()
    const count = read(this.#buffer, this.#used, chunk - this.#used)
    this.#used += count
    return count
  }

  async flush(): Promise<void> {
    for (let done = 0; done < this.#used; ) done += (await this.#out.write(this.#buffer, done, this.#used - done)).bytesWritten
    this.#used = 0
  }
}
