import { lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { contains } from '../plan/filesystem.ts'
import { outerRepository } from '../plan/git-facts.ts'

/** The git directory of a work tree. */
export interface SourceRepository {
  /** HEAD and index are here. */
  readonly own: string
  /** Objects and refs are here: the same directory, but for a linked worktree. */
  readonly common: string
}

/**
 * The git directory that belongs to a work tree, or null. A `.git` file is only followed to where its repository says
 * so too (linked worktrees, submodules), or to a place inside of `within`: somebody who can write to the project could
 * otherwise have any repository of the user's copied.
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

/** See gitrepository-layout(5). An empty directory of that name may exist only for a running cell. */
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
