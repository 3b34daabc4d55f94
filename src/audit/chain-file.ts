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
import { endingOf } from './ending.ts'
import { bodyOf, type ChainTip, linesBehind, noHash } from './line.ts'
import { currentName, readHead, rotatedNames, writeHead } from './place.ts'

export interface ChainLimits {
  /** Bytes of one file, beyond which a new one is begun. */
  readonly fileBytes: number
  /** Files kept besides the one that is written to. */
  readonly files: number
}

const defaultLimits: ChainLimits = { fileBytes: 32 * 1024 ** 2, files: 16 }

interface Open {
  readonly fd: number
  readonly inode: number
  size: number
  tip: ChainTip
}

/** What must be said in the log before anything else is, because the last writer could not end its work. */
interface Repair {
  readonly bodies: readonly string[]
  readonly newline: boolean
}

/**
 * The files of one hash chain, which any number of processes write to: each append takes the kernel's lock, goes on from where the
 * chain ends by then, and leaves the head file saying so. Only ever appends: what a crash tore stays and is sealed by the next line.
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
   * @returns how many were written: all; fewer, with the `error` that ended it; or none, if another process kept the lock for `waitMs`.
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

  /** Asks the disk to keep what was written, without waiting. */
  sync(): void {
    if (this.#open !== null) fdatasync(this.#open.fd, () => undefined)
  }

  close(): void {
    if (this.#open !== null)
      try {
        fdatasyncSync(this.#open.fd)
      } catch {
        // It is written; that it could not be made durable changes nothing for its readers.
      }
    this.#forget()
    this.#lock?.close()
    this.#lock = null
  }

  #forget(): void {
    if (this.#open !== null) closeSync(this.#open.fd)
    this.#open = null
  }

  /** Finds the end of the chain: at once if nobody else has written since, else from the files and the head. */
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
      // Lines that were there are gone or others. The chain goes on from what they were, so that the gap stays to be found.
      repaired({ what: 'missing', from: Math.min(open.tip.seq + 1, promised.seq), to: promised.seq })
      open.tip = promised
    }
    return bodies.length === 0 ? null : { bodies, newline: unended || torn?.needsNewline === true }
  }

  #endOfRotated(): ChainTip | null {
    const newest = rotatedNames(this.#directory).at(-1)
    return newest === undefined ? null : lastLineOf(path.join(this.#directory, newest.name))
  }

  /** Puts the full file aside and begins the next one; what is deleted is recorded before it is. */
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

  /** Writes lines and the head. On a failure, `count` has been told of those that are whole on the disk. */
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
