import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { readRegularBytes } from '../../../files/read-regular.ts'
import { type IndexEntry, leavesWorkTree, readIndex } from '../../../git/index-file.ts'

/**
 * A repository in which git does not touch the protected paths while a cell runs (held paths). They are mount points, so git can neither
 * remove nor replace them, and an operation on them would end half-way.
 */
export interface HeldRepository {
  /** The git directory, which contains HEAD and the index. */
  readonly git: string
  /** The git directory that contains the config and the objects. */
  readonly common: string
  readonly workTree: string
  /** The size of an object ID. */
  readonly idBytes: 20 | 32
  /** Protected paths relative to the work tree, whether or not they exist. Directories end with `/`. */
  readonly paths: readonly string[]
  /** Tracked files at or below these paths. */
  readonly tracked: readonly string[]
  /** Those that differ from the index. They are not held, so git refuses to overwrite them, as it does outside a cell. */
  readonly modified: readonly string[]
  /** Those that do not differ, but whose state is not in the index, as after a copy of the project. */
  readonly stale: readonly string[]
  /** Paths that the user already hides from git (git-update-index(1), `--skip-worktree`). */
  readonly skipped: readonly string[]
  /** True if the git directory has the directory `info`. */
  readonly hasInfo: boolean
  /** True if it has a file with patterns in it, whether or not git uses the file. */
  readonly hasSparseFile: boolean
  /** True if a program on the host holds the lock of that file at the moment. */
  readonly hasSparseLock: boolean
  /** The patterns of the user's own sparse checkout. Null if there is no such checkout. */
  readonly ownPatterns: string | null
}

/** Protected files larger than this are not compared. */
const mostFileBytes = 16 * 1024 ** 2
/** The mode of a symbolic link in a tree. */
const linkMode = 0o120000
const mostIndexBytes = 256 * 1024 ** 2
/** Bytes of an object ID in a repository with SHA-256. */
export const longId = 32

/** Returns the file with the patterns of a sparse checkout in a git directory (git-sparse-checkout(1)). */
export function sparseFileOf(git: string): string {
  return path.join(git, 'info/sparse-checkout')
}

/** Returns true for a path that is held or in a held directory. */
export function isHeld({ paths }: Pick<HeldRepository, 'paths'>, file: string): boolean {
  return paths.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each))
}

/** The last index that was read, because each start needs the same one several times. */
let last: { readonly state: string; readonly idBytes: 20 | 32; readonly entries: WeakRef<readonly IndexEntry[]> } | null = null

/** Returns the entries of a work tree's index. Null if it cannot be read as one. `idBytes`: the size of an object ID. */
export function indexOf(git: string, idBytes: 20 | 32): readonly IndexEntry[] | null {
  const file = path.join(git, 'index')
  const state = stateOf(file)
  const known = state !== null && last?.state === state && last.idBytes === idBytes ? last.entries.deref() : undefined
  if (known !== undefined) return known
  const bytes = readRegularBytes(file, mostIndexBytes)
  const entries = bytes === null ? null : readIndex(bytes, idBytes)
  last = entries === null || state === null ? null : { state, idBytes, entries: new WeakRef(entries) }
  return entries
}

/** Returns the path of a file with what git changes when it replaces the file. Null if that cannot be read. */
function stateOf(file: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true })
    return [file, dev, ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return null
  }
}

/** Returns true if a work tree's index has entries outside of the work tree. */
export function hasForeignEntries(git: string, idBytes: 20 | 32): boolean {
  const bytes = readRegularBytes(path.join(git, 'index'), mostIndexBytes)
  return bytes !== null && leavesWorkTree(bytes, idBytes)
}

/** Returns true if a file of a work tree, or a link, has the content of its entry in the index. */
export function isUnmodified(workTree: string, entry: IndexEntry): boolean {
  const file = path.join(workTree, entry.path)
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (isLink !== (entry.mode === linkMode)) return false
  const bytes = isLink ? readlinkSync(file, 'buffer') : readRegularBytes(file, mostFileBytes)
  return bytes !== null && objectId('blob', bytes, entry.id.length) === entry.id
}

/** Returns the ID that git gives to bytes as an object. */
export function objectId(type: 'blob' | 'tree' | 'commit', bytes: Buffer, idLength: number): string {
  return createHash(idLength === longId * 2 ? 'sha256' : 'sha1')
    .update(`${type} ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
}
