import { createHash, hash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lchownSync,
  lutimesSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { Pause } from '../../files/pause-between.ts'

const chunk = 1024 * 1024

/**
 * Copies single files with their mode, times and, as root, owner. Shares blocks if the file system supports that
 * (ioctl_ficlone(2)), and otherwise copies the bytes. Set-user-ID and set-group-ID bits are not kept.
 */
export class FileTaker {
  readonly #copier = new HashedCopier()
  readonly #root = process.geteuid?.() === 0
  /** Cleared by the first failure, because a file system without shared blocks fails for every file. */
  #shares = process.platform === 'linux'
  #buffer: Buffer | null = null
  /** The number of bytes that may still be written. */
  #room: number

  readonly #onFile: () => void
  readonly #signal: AbortSignal | undefined
  readonly #owner: Pick<Stats, 'uid' | 'gid'> | null

  /**
   * `room`: the total number of bytes that may be written. `onFile`: called after each file and link. `signal`: once aborted, `file`
   * throws. `owner`: the owner of the copies when running as root; null: that of each original.
   */
  constructor(
    room = Number.POSITIVE_INFINITY,
    onFile: () => void = () => undefined,
    signal?: AbortSignal,
    owner: Pick<Stats, 'uid' | 'gid'> | null = null,
  ) {
    this.#room = room
    this.#onFile = onFile
    this.#signal = signal
    this.#owner = owner
  }

  /** Copies an open file to a path that does not exist. Returns null if it is not a regular file. */
  async file(source: number, target: string): Promise<{ readonly mode: number; readonly size: number; readonly sha256: string } | null> {
    this.#signal?.throwIfAborted()
    const facts = fstatSync(source)
    if (!facts.isFile()) return null
    const mode = facts.mode & 0o777
    const taken = (await this.#share(source, target, mode)) ?? (await this.#write(source, target, mode, facts.size))
    this.dress(target, facts)
    utimesSync(target, facts.atime, facts.mtime)
    this.#onFile()
    return { mode, ...taken }
  }

  /** Checks the size before the first byte is written, because a sparse file of ten terabytes costs its writer nothing. */
  async #write(source: number, target: string, mode: number, size: number): Promise<{ size: number; sha256: string }> {
    const taken = size > this.#room ? null : await this.#copier.copy(source, target, mode, this.#room, { signal: this.#signal })
    if (taken === null) throw new Error('there is not enough room for it')
    this.#room -= taken.size
    return taken
  }

  link(content: string, target: string, facts: Stats): void {
    symlinkSync(content, target)
    this.dress(target, facts)
    lutimesSync(target, facts.atime, facts.mtime)
    this.#onFile()
  }

  /** Gives a new file or directory to its owner when running as root, because the cell's uid is mapped to that owner. */
  dress(target: string, original: Stats): void {
    const { uid, gid } = this.#owner ?? original
    if (this.#root) lchownSync(target, uid, gid)
  }

  async #share(source: number, target: string, mode: number): Promise<{ size: number; sha256: string } | null> {
    if (!this.#shares) return null
    try {
      copyFileSync(`/proc/self/fd/${source}`, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE)
    } catch {
      rmSync(target, { force: true })
      this.#shares = false
      return null
    }
    chmodSync(target, mode)
    const copy = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      return fstatSync(copy).size < chunk ? this.hash(copy) : await this.#hashLarge(copy)
    } finally {
      closeSync(copy)
    }
  }

  /** Does the same as `hash`, but yields to the event loop, so that a signal can arrive. */
  async #hashLarge(descriptor: number): Promise<{ size: number; sha256: string }> {
    const buffer = Buffer.allocUnsafe(chunk)
    const digest = createHash('sha256')
    const pause = new Pause()
    let size = 0
    for (let bytes = -1; bytes !== 0; size += bytes) {
      await pause.now()
      this.#signal?.throwIfAborted()
      bytes = readSync(descriptor, buffer, 0, chunk, size)
      digest.update(buffer.subarray(0, bytes))
    }
    return { size, sha256: digest.digest('hex') }
  }

  /** Returns the SHA-256 and the size of an open file, in constant memory. */
  hash(descriptor: number): { size: number; sha256: string } {
    this.#buffer ??= Buffer.allocUnsafe(chunk)
    const first = readSync(descriptor, this.#buffer, 0, chunk, 0)
    if (first < chunk) return { size: first, sha256: hash('sha256', this.#buffer.subarray(0, first), 'hex') }
    const digest = createHash('sha256')
    let size = 0
    for (let bytes = first; bytes > 0; bytes = readSync(descriptor, this.#buffer, 0, chunk, size)) {
      digest.update(this.#buffer.subarray(0, bytes))
      size += bytes
    }
    return { size, sha256: digest.digest('hex') }
  }
}
