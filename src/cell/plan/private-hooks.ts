import { lstatSync } from 'node:fs'
import path from 'node:path'
import { entriesOf } from '../../files/entries-of.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { contains } from './filesystem.ts'
import type { TreeSearch } from './tree-search.ts'

/** Directories with more entries or bytes are not copied. */
const mostEntries = 500
const mostBytes = 16 * 1024 ** 2

/**
 * Returns the protected directories of hooks of which a cell has private copies, parents first: the `hooks` of git directories, and those that
 * a tool generates again at each installation, which ignore themselves in git, as the one of husky does. husky's own may be missing at the
 * root; an inert entry is noted for it. `readOnly`: directories that the user made read-only.
 */
export function privateHooks(found: TreeSearch, readOnly: readonly string[]): readonly string[] {
  const husky = path.join(found.root, '.husky')
  const ofHusky = path.join(husky, '_')
  const isWritable = (directory: string): boolean => !readOnly.some((each) => contains(each, directory))
  const isProtected = found.present.has(husky) && found.kind(husky) === 'directory' && isWritable(husky)
  if (isProtected && found.kind(ofHusky) === null) found.absent.set(ofHusky, { path: ofHusky, kind: 'directory', inert: '' })
  const isGenerated = (directory: string): boolean => {
    const kind = found.kind(directory)
    if (kind === null) return found.absent.has(directory) && /\/\.husky\/_$/.test(directory)
    return kind === 'directory' && ignoresItself(directory) && isSmall(directory)
  }
  const isOfGit = (directory: string): boolean =>
    found.absent.has(directory) || (found.present.has(directory) && found.kind(directory) === 'directory' && isSmall(directory))
  const generated = [...(isProtected ? [ofHusky] : []), ...found.configured].filter(isGenerated)
  const ofGit = [...found.gitDirectories].map((each) => path.join(each, 'hooks')).filter(isOfGit)
  return [...new Set([...ofGit, ...generated])].filter(isWritable).sort((a, b) => a.length - b.length)
}

/** Returns true if git ignores everything in a directory because of a file in it (gitignore(5)). */
function ignoresItself(directory: string): boolean {
  return /^\*$/m.test(readRegularSync(path.join(directory, '.gitignore'), 4096) ?? '')
}

function isSmall(directory: string): boolean {
  const queue = [directory]
  let [entries, bytes] = [0, 0]
  for (const each of queue)
    for (const entry of entriesOf(each)) {
      const file = path.join(each, entry.name)
      if (entry.isDirectory()) queue.push(file)
      else bytes += lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
      if (++entries > mostEntries || bytes > mostBytes) return false
    }
  return true
}
