import { hash } from 'node:crypto'
import path from 'node:path'
import { withoutLogins } from '../../git/config-logins.ts'
import { contains } from '../plan/filesystem.ts'
import { readBelow } from './tree-contents.ts'
import type { TreeEntry } from './tree-manifest.ts'

/** The entries of a tree as another machine gets them, and contents that no file of the tree has, by their hash. */
export interface TravellingEntries {
  readonly entries: readonly TreeEntry[]
  readonly contents: ReadonlyMap<string, Buffer>
}

/** Bytes of the largest configuration of git that is read. */
const largestConfig = 1024 ** 2

/**
 * Returns the entries of a tree without what a cell does not see: a masked file is empty, a masked directory has nothing in it, and the
 * configurations of git have no logins.
 * @param root absolute path of the directory.
 * @param masks absolute paths of masked files and directories.
 */
export function travellingEntries(root: string, entries: readonly TreeEntry[], masks: readonly string[]): TravellingEntries {
  const paths = new Set(entries.map((each) => each.path))
  const contents = new Map<string, Buffer>()
  const hidden = masks.filter((each) => contains(root, each)).map((each) => Buffer.from(path.relative(root, each)).toString('latin1'))
  const withContent = (entry: TreeEntry, content: Buffer): TreeEntry => {
    const sum = hash('sha256', content)
    contents.set(sum, content)
    return { ...entry, size: content.length, hash: sum }
  }
  const travelling = entries.flatMap((entry): readonly TreeEntry[] => {
    if (hidden.some((mask) => mask === '' || entry.path.startsWith(`${mask}/`))) return []
    if (entry.kind !== 'file') return [entry]
    if (hidden.includes(entry.path)) return [withContent(entry, Buffer.alloc(0))]
    if (!isGitConfig(entry.path, paths)) return [entry]
    // One that is too large to be looked at does not travel as it is.
    const text = entry.size > largestConfig ? '' : readBelow(root, entry.path, largestConfig).toString('latin1')
    return [withContent(entry, Buffer.from(withoutLogins(text), 'latin1'))]
  })
  return { entries: travelling, contents }
}

/** Returns true for the configuration of a repository, wherever it is in the tree and whatever its directory is called. */
function isGitConfig(file: string, paths: ReadonlySet<string>): boolean {
  const name = path.posix.basename(file)
  return (name === 'config' || name === 'config.worktree') && paths.has(path.posix.join(path.posix.dirname(file), 'HEAD'))
}
