import { createHash } from 'node:crypto'
import path from 'node:path'
import { entriesOf } from '../../../files/entries-of.ts'
import { readRegularBytes } from '../../../files/read-regular.ts'
import { readGitConfig } from '../../../git/config-syntax.ts'
import { looksLikeGitDirectory } from '../../../git/directory-names.ts'
import { type IndexEntry, readIndex } from '../../../git/index-file.ts'
import { commonDirectory } from '../git-facts.ts'
import type { TreeSearch } from '../tree-search.ts'

/**
 * A repository in which git leaves the protected paths alone while a cell runs (held paths). They are mount points, so git can neither
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
  /** Paths that the user already hides from git (git-update-index(1), `--skip-worktree`). */
  readonly skipped: readonly string[]
  /** True if the git directory has the directory `info`. */
  readonly hasInfo: boolean
  /** True if it has a file with patterns in it, whether or not git uses the file. */
  readonly hasSparseFile: boolean
  /** The patterns of the user's own sparse checkout. Null if the user has none. */
  readonly ownPatterns: string | null
}

const mostIndexBytes = 256 * 1024 ** 2
const mostFileBytes = 16 * 1024 ** 2
/** Bytes of an object ID in a repository with SHA-256. */
const longId = 32 as const

/** Returns the file with the patterns of a sparse checkout in a git directory (git-sparse-checkout(1)). */
export function sparseFileOf(git: string): string {
  return path.join(git, 'info/sparse-checkout')
}

/** Returns the repositories in a tree that have work trees with protected paths. */
export function heldRepositories(found: TreeSearch): readonly Omit<HeldRepository, 'hasInfo' | 'hasSparseFile'>[] {
  const gits = [...found.repositories.keys()]
  const isInGit = (file: string): boolean => gits.some((git) => file === git || file.startsWith(`${git}/`))
  const trees = gits
    .filter((git) => looksLikeGitDirectory(new Set(entriesOf(git).map((each) => each.name))))
    .flatMap((git) => [...(found.repositories.get(git) ?? [])].map((workTree) => ({ git, workTree, paths: new Set<string>() })))
    .sort((a, b) => b.workTree.length - a.workTree.length)
  for (const each of [...found.present, ...found.absent.keys()]) {
    if (path.basename(each) === '.git' || isInGit(each)) continue
    const inner = trees.find(({ workTree }) => each.startsWith(`${workTree}/`))
    const isDirectory = found.absent.get(each)?.kind === 'directory' || found.kind(each) === 'directory'
    inner?.paths.add(each.slice(inner.workTree.length + 1) + (isDirectory ? '/' : ''))
  }
  return trees.flatMap(({ git, workTree, paths }) => (paths.size === 0 ? [] : [heldIn(git, workTree, [...paths])]))
}

function heldIn(git: string, workTree: string, paths: readonly string[]): Omit<HeldRepository, 'hasInfo' | 'hasSparseFile'> {
  const common = commonDirectory(git)
  const settings = settingsOf(git, common)
  const idBytes = settings.isSha256 ? longId : (20 as const)
  const index = indexOf(git, idBytes) ?? []
  const held = { git, common, workTree, idBytes, paths: paths.filter(isExpressible) }
  const tracked = index.filter((each) => isHeld(held, each.path) && isExpressible(each.path))
  return {
    ...held,
    tracked: pathsOf(tracked),
    modified: pathsOf(tracked.filter((each) => !each.skipsWorkTree && !isUnmodified(workTree, each))),
    skipped: settings.isSparse ? [] : pathsOf(index.filter((each) => each.skipsWorkTree && isExpressible(each.path))),
    ownPatterns: settings.isSparse ? (readRegularBytes(sparseFileOf(git), mostFileBytes)?.toString('utf8') ?? null) : null,
  }
}

function pathsOf(entries: readonly IndexEntry[]): readonly string[] {
  return [...new Set(entries.map((each) => each.path))]
}

/** Returns true for a path that is held or in a held directory. */
export function isHeld({ paths }: Pick<HeldRepository, 'paths'>, file: string): boolean {
  return paths.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each))
}

/** Returns the entries of a work tree's index. Null if it cannot be read as one. `idBytes`: the size of an object ID. */
export function indexOf(git: string, idBytes: 20 | 32): readonly IndexEntry[] | null {
  const bytes = readRegularBytes(path.join(git, 'index'), mostIndexBytes)
  return bytes === null ? null : readIndex(bytes, idBytes)
}

/** Returns the ID that git gives to bytes as an object. */
export function objectId(type: 'blob' | 'tree' | 'commit', bytes: Buffer, idLength: number): string {
  return createHash(idLength === longId * 2 ? 'sha256' : 'sha1')
    .update(`${type} ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
}

function isUnmodified(workTree: string, entry: IndexEntry): boolean {
  const bytes = readRegularBytes(path.join(workTree, entry.path), mostFileBytes)
  return bytes !== null && objectId('blob', bytes, entry.id.length) === entry.id
}

/** Returns true for a path that a pattern can express (gitignore(5)) and that was not altered by decoding. */
function isExpressible(file: string): boolean {
  return !/[\n\ufffd]/.test(file)
}

function settingsOf(git: string, common: string): { readonly isSparse: boolean; readonly isSha256: boolean } {
  const entries = [path.join(common, 'config'), path.join(git, 'config.worktree')].flatMap(
    (each) => readGitConfig(readRegularBytes(each, mostFileBytes)?.toString('utf8') ?? '').entries,
  )
  const last = (key: string): string | undefined => entries.findLast((each) => each.key === key)?.value?.toLowerCase()
  return { isSparse: /^(true|yes|on|1)$/.test(last('core.sparsecheckout') ?? ''), isSha256: last('extensions.objectformat') === 'sha256' }
}
