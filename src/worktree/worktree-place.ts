import { createHash } from 'node:crypto'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import type { Paths } from '../base/paths.ts'
import { repositoryOf, type SourceRepository } from '../cell/trees/source-repository.ts'
import { type LockWish, takeLock } from '../files/lock.ts'
import { refuseWithoutRepository } from '../git/project.ts'

const longestName = 100

/**
 * Throws unless a name is good for a branch, a directory and an argument of commands (git-check-ref-format(1)).
 * @throws PaddockError BAD_INPUT
 */
export function checkName(name: string): void {
  const isGood =
    name.length <= longestName &&
    /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name) &&
    name.split('/').every((each) => each !== '' && !/^[.-]|\.\.|\.$|\.lock$/.test(each)) &&
    name !== 'HEAD'
  if (!isGood)
    throw new PaddockError('BAD_INPUT', `--worktree: ${JSON.stringify(name)} cannot be the name of a branch.`, {
      hint: 'Use letters, digits and . _ - /, for example: --worktree fix-login',
    })
}

/**
 * Returns the repository of a project.
 * @throws PaddockError BAD_INPUT if there is none
 */
export function repositoryAt(project: string): SourceRepository {
  const found = repositoryOf(project, [project])
  if (found !== null) return found
  refuseWithoutRepository(project, '--worktree')
  throw new PaddockError('BAD_INPUT', `--worktree: ${path.join(project, '.git')} names a repository that does not name ${project}.`, {
    hint: 'Work on a copy: --copy',
  })
}

/** The name of a repository's directories. Two repositories never share them. */
function keyOf(common: string): string {
  const around = path.basename(common) === '.git' ? path.dirname(common) : common
  const name = path.basename(around).replace(/[^A-Za-z0-9._-]/g, '-')
  return `${name}-${createHash('sha256').update(common).digest('hex').slice(0, 12)}`
}

/** The names of branches have no +, so two never share a file. */
const fileName = (name: string): string => name.replaceAll('/', '+')

export const recordsDirectory = (paths: Paths): string => path.join(paths.state, 'worktrees')

/** Returns the file that records a work tree. No cell can reach it. */
export function recordFile(paths: Paths, common: string, name: string): string {
  return path.join(recordsDirectory(paths), keyOf(common), `${fileName(name)}.json`)
}

/** Returns the directory of a new work tree. `within`: the directory that the user named, or null. */
export function treeDirectory(paths: Paths, common: string, name: string, within: string | null): string {
  return path.join(within ?? path.join(paths.data, 'worktrees', keyOf(common)), fileName(name))
}

/** Takes the lock of a repository's work trees. */
export function lockWorktrees(paths: Paths, common: string, command: string): Promise<Disposable> {
  const wish: LockWish = {
    file: path.join(recordsDirectory(paths), `${keyOf(common)}.lock`),
    what: `The list of work trees of ${common}`,
    command,
  }
  return takeLock({ ...wish, patienceMs: 60_000 })
}
