import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { contains } from '../plan/filesystem.ts'
import { outerRepository } from '../plan/git-facts.ts'

/** The git directory of a work tree. */
export interface SourceRepository {
  /** The directory that contains HEAD and the index. */
  readonly own: string
  /** The directory that contains objects and refs. It differs from `own` only for a linked worktree. */
  readonly common: string
}

/**
 * Returns the git directory of a work tree, or null. A `.git` file is followed only if the repository also names the work tree
 * (linked worktrees, submodules), or if it leads to a place in `within`. Otherwise somebody with write access to the project could
 * have any repository of the user copied.
 */
export function repositoryOf(workTree: string, within: readonly string[]): SourceRepository | null {
  const git = path.join(workTree, '.git')
  const stat = lstatSync(git, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return hasParts(git) ? { own: git, common: git } : null
  if (stat === undefined || !stat.isFile()) return null
  const gitdir = /^gitdir: (.+)$/m.exec(readRegularSync(git, 4096) ?? '')?.[1]?.trim()
  if (gitdir === undefined) return null
  const own = path.resolve(workTree, gitdir)
  const common = outerRepository(git)
  if (common !== null) return isReal(own) && isReal(common) && hasParts(common) ? { own, common } : null
  return isReal(own) && hasParts(own) && within.some((each) => contains(each, own)) ? { own, common: own } : null
}

/** Returns true if the parts in gitrepository-layout(5) exist. An empty directory with that name may exist only for a running cell. */
function hasParts(git: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((each) => lstatSync(path.join(git, each), { throwIfNoEntry: false }) !== undefined)
}

/** Returns true if no part of the path is a link. */
function isReal(file: string): boolean {
  try {
    return realpathSync(file) === file
  } catch {
    return false
  }
}
