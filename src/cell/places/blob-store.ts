import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Blob } from './blob-pack.ts'
import { CannotTravel } from './tree-manifest.ts'

/** Contents of files by their SHA-256, in a directory of one user. They are kept, so that a content travels only once. */
export class BlobStore {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  }

  #file(hash: string): string {
    return path.join(this.#directory, hash.slice(0, 2), hash)
  }

  has(hash: string): boolean {
    return existsSync(this.#file(hash))
  }

  /**
   * Keeps a content, which appears only as a whole.
   * @throws CannotTravel if it is not the content that its hash names
   */
  async put({ hash, size, bytes }: Blob): Promise<void> {
    const file = this.#file(hash)
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    const made = `${file}.${randomBytes(6).toString('hex')}`
    const descriptor = openSync(made, 'wx', 0o600)
    try {
      const sum = createHash('sha256')
      let written = 0
      for await (const part of bytes) {
        written += part.length
        sum.update(part)
        for (let done = 0; done < part.length; ) done += writeSync(descriptor, part, done)
      }
      if (written !== size || sum.digest('hex') !== hash) throw new CannotTravel('has a content that is not the one that its hash names')
      renameSync(made, file)
    } catch (error) {
      rmSync(made, { force: true })
      throw error
    } finally {
      closeSync(descriptor)
    }
  }

  /** Returns a content as a stream, which fails if it is missing. It counts as used now. */
  async read(hash: string): Promise<Readable> {
    const file = this.#file(hash)
    const now = new Date()
    if (existsSync(file)) utimesSync(file, now, now)
    return createReadStream(file)
  }

  /** Removes the contents that were not used for the longest time, until the others have at most this many bytes. */
  shrink(most: number): void {
    const all = readdirSync(this.#directory, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => path.join(each.parentPath, each.name))
      .map((file) => ({ file, stat: statSync(file, { throwIfNoEntry: false }) }))
      .flatMap(({ file, stat }) => (stat === undefined ? [] : [{ file, size: stat.size, used: stat.mtimeMs }]))
      .toSorted((one, other) => other.used - one.used)
    let bytes = 0
    for (const { file, size } of all) {
      bytes += size
      if (bytes > most) rmSync(file, { force: true })
    }
  }
}
