import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  type Stats,
} from 'node:fs'
import { codeOf } from '../base/errors.ts'
import { letOwnerRead, openToOwner } from './owner-access.ts'
import { Pause } from './pause-between.ts'

type EntryKind = 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'device' | 'unknown'

/** A name below the root of a walk. */
export interface WalkEntry {
  /** The names from the root down to this one, in the bytes of the file system. */
  readonly names: readonly Buffer[]
  /** The kind according to the directory. Only the result of `open` and then fstat is reliable. */
  readonly kind: EntryKind
  /** The reason why a directory was not entered. The entry of the directory itself came before this one. */
  readonly notEntered?: string
  /**
   * Opens exactly this name without following a link and without waiting (a FIFO does not block). The caller must close the
   * descriptor, and must use it before requesting the next entry. Throws the system's error.
   */
  open(): number
  /** Returns the lstat of exactly this name, through the directory's descriptor. Null if the name no longer exists. */
  lstat(): Stats | null
  /** Returns the target of this symbolic link, through the directory's descriptor. Throws the system's error. */
  readlink(): Buffer
  /** Returns the path that this name leads to, with all links resolved. Throws the system's error: ENOENT if it does not exist. */
  realpath(): Buffer
  /** Renames within the directory of this name, through its descriptor. Throws the system's error. */
  rename(from: Buffer, to: Buffer): void
  /** Calls `openToOwner` for exactly this directory, before it is entered. Throws the system's error. */
  openToOwner(): void
  /** Calls `letOwnerRead` for exactly this name, before it is entered. Throws the system's error. */
  letOwnerRead(): number | null
  /** Keeps the walk from entering this directory. Must be called before the next entry is requested. */
  skip(): void
}

export interface WalkBounds {
  /** The number of entries of all kinds after which the walk ends with `WalkTooLarge`. */
  readonly maxEntries: number
  /** The depth below which directories are not entered (1: directly in the root). At most 200, because each level uses two descriptors. */
  readonly maxDepth: number
  /** True: ELOOP is thrown if the root, as it is opened, is behind a link. On macOS, links in its path are followed. */
  readonly isUnlinked?: true
}

/** Thrown if a tree has more entries than the walk may visit. */
export class WalkTooLarge extends Error {
  readonly entries: number
  constructor(entries: number) {
    super(`more than ${entries} entries`)
    this.entries = entries
  }
}

/** The names in a directory. */
interface Names {
  /** Returns the next name; null after the last one. */
  next(): Dirent<Buffer> | null
  close(): void
}

interface Frame {
  readonly descriptor: number
  readonly directory: Names
  readonly names: readonly Buffer[]
  /** The directory as a path that ends with a slash. */
  readonly prefix: Buffer
}

/**
 * Walks a tree that other programs may be changing, and never leaves it: every directory is opened by name below its
 * open parent, without following links, and is read through its descriptor. A directory that is replaced with
 * a link during the walk is not entered. Names come in the order of the file system.
 */
export async function* walk(root: string, bounds: WalkBounds): AsyncGenerator<WalkEntry, void, void> {
  const pause = new Pause()
  const frames: Frame[] = []
  let entries = 0
  try {
    frames.push(enter(Buffer.from(linux ? root : realpathSync(root)), []))
    if (linux && bounds.isUnlinked === true && readlinkSync(`/proc/self/fd/${frames[0]?.descriptor}`) !== root)
      throw Object.assign(new Error(`${root} is behind a symbolic link`), { code: 'ELOOP' })
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      if (pause.isDue) await pause.now()
      const found = frame.directory.next()
      if (found === null) {
        leave(frame)
        frames.pop()
        continue
      }
      entries += 1
      if (entries > bounds.maxEntries) throw new WalkTooLarge(bounds.maxEntries)
      const names = [...frame.names, found.name]
      const kind = kindOf(found)
      const parent = frame
      const inFrame = (name: Buffer): Buffer => childPath(parent, name)
      const at = (): Buffer => inFrame(found.name)
      let skipped = false
      const entry: WalkEntry = {
        names,
        kind,
        lstat: () => lstatSync(at(), { throwIfNoEntry: false }) ?? null,
        readlink: () => readlinkSync(at(), { encoding: 'buffer' }),
        realpath: () => realpathSync.native(at(), { encoding: 'buffer' }),
        rename: (from, to) => renameNew(inFrame(from), inFrame(to)),
        open: () => openSync(at(), constants.O_RDONLY | constants.O_NONBLOCK | noFollow),
        openToOwner: () => openToOwner(at()),
        letOwnerRead: () => letOwnerRead(at()),
        skip: () => {
          skipped = true
        },
      }
      yield entry
      if (kind !== 'directory' || skipped) continue
      if (names.length > bounds.maxDepth) {
        yield { ...entry, notEntered: `deeper than ${bounds.maxDepth} directories` }
        continue
      }
      let child: Frame
      try {
        child = enter(at(), names)
      } catch (error) {
        yield { ...entry, notEntered: reasonOf(error) }
        continue
      }
      frames.push(child)
    }
  } finally {
    for (const frame of frames) leave(frame)
  }
}

/** Renames without ever replacing an existing name. */
function renameNew(from: Buffer, to: Buffer): void {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
  renameSync(from, to)
}

const linux = process.platform === 'linux'
/**
 * The flag against links. macOS has no paths through descriptors, but has a flag that refuses links in every part of a path (open(2),
 * O_NOFOLLOW_ANY).
 */
const noFollow = linux ? constants.O_NOFOLLOW : 0x2000_0000

function childPath(parent: Frame, name: Buffer): Buffer {
  return Buffer.concat([parent.prefix, name])
}

function enter(at: Buffer, names: readonly Buffer[]): Frame {
  const descriptor = openSync(at, constants.O_RDONLY | constants.O_DIRECTORY | noFollow)
  try {
    const readFrom = linux ? `/proc/self/fd/${descriptor}` : at.toString()
    const directory = fstatSync(descriptor).size <= mostAtOnce ? namesAtOnce(readFrom) : namesInTurn(readFrom)
    const prefix = linux ? Buffer.from(`/proc/self/fd/${descriptor}/`) : Buffer.concat([at, Buffer.from('/')])
    return { descriptor, directory, names, prefix }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** The maximum size in bytes of a directory that is read with one call, which is twice as fast. It is enough for some thousand names. */
const mostAtOnce = 128 * 1024

function namesAtOnce(readFrom: string): Names {
  const all = readdirSync(readFrom, { encoding: 'buffer', withFileTypes: true })
  let at = 0
  return { next: () => all[at++] ?? null, close: () => undefined }
}

/** Returns the names in constant memory, regardless of their number. */
function namesInTurn(readFrom: string): Names {
  // Node's types have no Buffer names for Dir, but the runtime does.
  const directory = opendirSync(readFrom, { encoding: 'buffer' as BufferEncoding, bufferSize: 256 })
  return { next: () => directory.readSync() as unknown as Dirent<Buffer> | null, close: () => directory.closeSync() }
}

function leave(frame: Frame): void {
  frame.directory.close()
  closeSync(frame.descriptor)
}

function kindOf(entry: Dirent<Buffer>): EntryKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  if (entry.isSymbolicLink()) return 'symlink'
  if (entry.isFIFO()) return 'fifo'
  if (entry.isSocket()) return 'socket'
  if (entry.isCharacterDevice() || entry.isBlockDevice()) return 'device'
  return 'unknown'
}

/** Returns the reason why a path could not be opened, as text. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? 'unknown error'
  if (code === 'ELOOP' || code === 'ENOTDIR' || code === 'ENOENT' || code === 'ENXIO') return 'changed while it was read'
  return `could not be read (${code})`
}
