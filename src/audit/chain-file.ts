import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { type KernelLock, openKernelLock } from '../files/kernel-lock.ts'
import { endingOf } from './end-event.ts'
import { bodyOf, type ChainTip, linesBehind, noHash } from './line.ts'
import { currentName, readHead, rotatedNames, writeHead } from './log-place.ts'

export interface ChainLimits {
  /** The size in bytes at which a new file is started. */
  readonly fileBytes: number
  /** The number of files kept in addition to the current one. */
  readonly files: number
}

const defaultLimits: ChainLimits = { fileBytes: 32 * 1024 ** 2, files: 16 }

interface Open {
  readonly fd: number
  readonly inode: number
  size: number
  tip: ChainTip
}

/** Lines that must be written before any other, because the last writer could not complete its work. */
interface Repair {
  readonly bodies: readonly string[]
  readonly newline: boolean
}

/**
 * The files of one hash chain, to which any number of processes write. Each append takes the kernel lock, continues from the current end of
 * the chain, and updates the head file. Nothing is ever overwritten: a torn line left by a crash is kept, and the next line seals it.
 */
export class ChainFile {
  readonly #directory: string
  readonly #limits: ChainLimits
  #lock: KernelLock | null = null
  #open: Open | null = null

  constructor(directory: string, limits: Partial<ChainLimits> = {}) {
    this.#directory = directory
    this.#limits = { ...defaultLimits, ...limits }
  }

  /**
   * Appends events, in the form of `bodyOf`, at the end of the chain.
   * @returns the number of written events: all of them; fewer, with the `error` that stopped it; or 0, if another process held the lock for
   * `waitMs`.
   */
  append(bodies: readonly string[], waitMs: number): { readonly written: number; readonly error?: unknown } {
    let written = 0
    try {
      if (this.#lock === null) {
        mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
        this.#lock = openKernelLock(path.join(this.#directory, 'lock.db'))
      }
      this.#lock.alone(waitMs, () => {
        const repair = this.#catchUp()
        if (repair !== null) this.#write(repair.bodies, repair.newline ? '\n' : '')
        const open = this.#open
        const coming = bodies.reduce((sum, body) => sum + body.length + 250, 0)
        if (open !== null && open.size > 0 && open.size + coming > this.#limits.fileBytes) this.#rotate()
        this.#write(bodies, '', (count) => {
          written = count
        })
      })
      return { written }
    } catch (error) {
      // The file is read again before the next line.
      this.#forget()
      return { written, error }
    }
  }

  /** Starts to flush the written lines to the disk, without waiting. */
  sync(): void {
    if (this.#open !== null) fdatasync(this.#open.fd, () => undefined)
  }

  close(): void {
    if (this.#open !== null)
      try {
        fdatasyncSync(this.#open.fd)
      } catch {
        // The data is written, and a failed flush changes nothing for readers.
      }
    this.#forget()
    this.#lock?.close()
    this.#lock = null
  }

  #forget(): void {
    if (this.#open !== null) closeSync(this.#open.fd)
    this.#open = null
  }

  /** Finds the end of the chain: at once if no other process has written since, or else from the files and the head. */
  #catchUp(): Repair | null {
    const file = path.join(this.#directory, currentName)
    const now = statSync(file, { throwIfNoEntry: false })
    const known = this.#open
    if (known !== null && now?.ino === known.inode && now.size === known.size) return null
    this.#forget()
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    const { ino, size } = fstatSync(fd)
    const open: Open = { fd, inode: ino, size, tip: { seq: 0, hash: noHash } }
    this.#open = open
    const { line, unended, torn } = endingOf(fd, size)
    const last = line ?? this.#endOfRotated()
    if (last !== null) open.tip = last
    const head = readHead(this.#directory)
    if (head === null) writeHead(this.#directory, open.tip)
    const bodies: string[] = []
    const promised = [head, known?.tip ?? null].reduce((a, b) => (b !== null && (a === null || b.seq > a.seq) ? b : a))
    const repaired = (data: Record<string, unknown>): number => bodies.push(bodyOf({ kind: 'audit.repaired', data }))
    if (unended) repaired({ what: 'newline' })
    if (torn !== null) repaired({ what: 'torn', bytes: torn.bytes, sha256: torn.sha256 })
    if (head === null && open.tip.seq > 0) repaired({ what: 'head' })
    if (promised !== null && promised.seq >= open.tip.seq && promised.hash !== open.tip.hash) {
      // Earlier lines are missing or changed. The chain continues from the original lines, so that the gap stays detectable.
      repaired({ what: 'missing', from: Math.min(open.tip.seq + 1, promised.seq), to: promised.seq })
      open.tip = promised
    }
    return bodies.length === 0 ? null : { bodies, newline: unended || torn?.needsNewline === true }
  }

  #endOfRotated(): ChainTip | null {
    const newest = rotatedNames(this.#directory).at(-1)
    return newest === undefined ? null : lastLineOf(path.join(this.#directory, newest.name))
  }

  /** Renames the full file and starts the next one. Deletions are recorded before they happen. */
  #rotate(): void {
    const open = this.#open
    if (open === null) return
    const rotated = rotatedNames(this.#directory)
    const name = `audit-${(rotated.at(-1)?.number ?? 0) + 1}.jsonl`
    const { tip } = open
    renameSync(path.join(this.#directory, currentName), path.join(this.#directory, name))
    this.#forget()
    const fd = openSync(
      path.join(this.#directory, currentName),
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    )
    this.#open = { fd, inode: fstatSync(fd).ino, size: 0, tip }
    const removed = rotated.slice(0, Math.max(0, rotated.length + 1 - this.#limits.files)).map((each) => each.name)
    const ends = removed.map((each) => ({ file: each, end: lastLineOf(path.join(this.#directory, each)) }))
    this.#write(
      [
        bodyOf({ kind: 'audit.rotated', data: { file: name, last: tip.seq } }),
        ...ends.map(({ file, end }) => bodyOf({ kind: 'audit.removed', data: { file, last: end?.seq ?? 0, hash: end?.hash ?? noHash } })),
      ],
      '',
    )
    for (const each of removed) rmSync(path.join(this.#directory, each), { force: true })
  }

  /** Writes lines and the head. `count` is called with the number of complete lines on the disk, even after a failure. */
  #write(bodies: readonly string[], before: string, count: (written: number) => void = () => undefined): void {
    const open = this.#open
    if (open === null || bodies.length === 0) return
    const { bytes, ends, tips } = linesBehind(open.tip, bodies, before)
    let done = 0
    try {
      while (done < bytes.length) done += writeSync(open.fd, bytes, done)
    } finally {
      const whole = done === bytes.length ? ends.length : ends.findIndex((end) => end > done)
      open.size += done
      open.tip = tips[whole - 1] ?? open.tip
      count(whole)
      if (whole > 0) writeHead(this.#directory, open.tip)
    }
  }
}

function lastLineOf(file: string): ChainTip | null {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return endingOf(fd, fstatSync(fd).size).line
  } finally {
    closeSync(fd)
  }
}
