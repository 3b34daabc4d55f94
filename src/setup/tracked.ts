import { gitDirectoryOf } from '../cell/plan/git-facts.ts'
import { kindBelow } from '../files/kind-below.ts'
import { readRegularBytes } from '../files/read-regular.ts'
import { readIndex } from '../git/index-file.ts'

const mostIndexBytes = 256 * 1024 ** 2

/** Returns the first of these directories with a path in the index of a tree; null if there is none, or no index that can be read. */
export function firstTracked(tree: string, directories: readonly string[]): string | null {
  const git = kindBelow(tree, `${tree}/.git`) === 'directory' ? `${tree}/.git` : gitDirectoryOf(`${tree}/.git`)
  const bytes = git === null ? null : readRegularBytes(`${git}/index`, mostIndexBytes)
  const entries = bytes === null ? null : (readIndex(bytes, 20) ?? readIndex(bytes, 32))
  const isIn = (file: string, directory: string): boolean => file === directory || file.startsWith(`${directory}/`)
  return directories.find((each) => entries?.some((entry) => isIn(entry.path, each))) ?? null
}
