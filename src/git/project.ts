import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'

/** Returns the root of the git repository around a directory, or else the directory itself. Never the home directory or a parent of it. */
export function projectAround(cwd: string, userHome: string): string {
  const home = existsSync(userHome) ? realpathSync(userHome) : userHome
  for (let each = cwd; each !== '/' && each !== home; each = path.dirname(each)) if (isRepository(path.join(each, '.git'))) return each
  return cwd
}

/** Returns true for a repository. An empty `.git` directory is not one, because it may exist only for a running cell. */
function isRepository(git: string): boolean {
  return existsSync(path.join(git, 'HEAD')) || statSync(git, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * Returns true if git recognizes a directory as the root of a work tree: `.git` is a file that points elsewhere, or a directory with HEAD,
 * objects and refs (is_git_directory in git's setup.c).
 */
export function hasRepository(project: string): boolean {
  const git = path.join(project, '.git')
  if (statSync(git, { throwIfNoEntry: false })?.isFile() === true) return true
  return ['HEAD', 'objects', 'refs'].every((each) => existsSync(path.join(git, each)))
}

/**
 * Throws unless a directory is the root of a work tree of git. `place`: the option or key that names it.
 * @throws PaddockError BAD_INPUT
 */
export function refuseWithoutRepository(directory: string, place: string): void {
  if (hasRepository(directory)) return
  const isBare = ['HEAD', 'objects', 'refs'].every((each) => existsSync(path.join(directory, each)))
  if (isBare)
    throw new PaddockError('BAD_INPUT', `${place} needs a work tree of git, and ${directory} is a bare repository.`, {
      hint: `Clone it, or make a work tree: git -C ${directory} worktree add ../NAME`,
    })
  throw new PaddockError('BAD_INPUT', `${place} needs a git repository, and ${directory} is not one.`, {
    hint: 'Run: git init; git add .; git commit. Or let agents work on a copy',
  })
}
