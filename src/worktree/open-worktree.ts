import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { contains } from '../cell/plan/filesystem.ts'
import { gitDirectoryOf, outerRepository } from '../cell/plan/git-facts.ts'
import { worktreeEntries } from '../cell/trees/made-worktrees.ts'
import { refuseWhileConfigured } from '../copy/hold-copy.ts'
import { writeJson } from '../files/atomic.ts'
import { refuseAsProject } from '../files/not-projects.ts'
import { removeTree } from '../files/remove-tree.ts'
import { copyFiles } from './copy-files.ts'
import { convertedIn, refuseFilters } from './filters.ts'
import { refuseLinks, writtenOf } from './refuse-links.ts'
import { outputOf, type UserGit, userGit } from './user-git.ts'
import type { WorktreeHost } from './worktree-host.ts'
import { checkName, lockWorktrees, recordFile, recordsDirectory, repositoryAt, treeDirectory } from './worktree-place.ts'
import { readRecord, type WorktreeRecord } from './worktree-record.ts'

export interface WorktreeWish {
  /** The absolute path of the project, without links. */
  readonly project: string
  /** The name of the work tree and of its branch. */
  readonly name: string
  /** The directory in which a new work tree is made, absolute and without links; null: below Paddock's data. */
  readonly within: string | null
  /** Files of the project that git does not track and that a new work tree gets, relative to the project. */
  readonly copy: readonly string[]
}

export interface OpenedWorktree {
  readonly record: WorktreeRecord
  /** True if the work tree and its branch were made now. */
  readonly isNew: boolean
  /** Sentences for the user. */
  readonly notes: readonly string[]
}

/**
 * Returns the work tree with this name. If there is none yet, makes one with the user's git, on a new branch from HEAD or on the branch
 * that has this name.
 * @throws PaddockError BAD_INPUT, CONFLICT, NOT_ALLOWED, BUSY, FILES_FAILED
 */
export async function openWorktree(wish: WorktreeWish, host: WorktreeHost): Promise<OpenedWorktree> {
  checkName(wish.name)
  refuseAsProject(wish.project, [host.paths.userHome])
  const { common } = repositoryAt(wish.project)
  refuseWhileConfigured(common, host.paths)
  const file = recordFile(host.paths, common, wish.name)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  using _lock = await lockWorktrees(host.paths, common, 'paddock run --worktree')
  const known = readRecord(host.paths, common, wish.name)
  const directory = treeDirectory(host.paths, common, wish.name, wish.within)
  if (known !== null && wish.within !== null && known.directory !== directory)
    throw new PaddockError('BAD_INPUT', `The work tree ${wish.name} is in ${known.directory}, not in ${wish.within}.`, {
      hint: 'Leave --worktree-in out, or use another name',
    })
  if (known?.isReady === true && isStanding(known))
    return { record: known, isNew: false, notes: [`work tree ${known.directory}, branch ${known.name}`] }
  return await make(wish, { common, file, directory: known?.directory ?? directory, isOurs: known !== null }, host)
}

/** Returns true if the directory is still the work tree that was made. */
export function isStanding({ directory, common }: WorktreeRecord): boolean {
  return outerRepository(path.join(directory, '.git')) === common
}

async function make(
  { project, name, copy }: WorktreeWish,
  { common, file, directory, isOurs }: { common: string; file: string; directory: string; isOurs: boolean },
  host: WorktreeHost,
): Promise<OpenedWorktree> {
  if (contains(project, directory))
    throw new PaddockError('BAD_INPUT', `--worktree-in: ${path.dirname(directory)} is in the project itself.`, {
      hint: `Use a directory beside it: --worktree-in ${path.dirname(project)}`,
    })
  const git = userGit(project, host)
  const base = startOf(git, project)
  const isBranch = hasBranch(git, name)
  refuseLinks(common, [...writtenOf(name), `worktrees/${path.basename(directory)}`])
  // An incomplete work tree contains only files that git wrote.
  if (isOurs && existsSync(directory) && readRecord(host.paths, common, name)?.isReady === false) await removeTree(directory)
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new PaddockError('CONFLICT', `${directory} already exists.`, {
      hint: 'Use another name, or another directory: --worktree-in DIR',
    })
  mkdirSync(path.dirname(directory), { recursive: true, mode: 0o700 })
  const record: WorktreeRecord = {
    schemaVersion: 1,
    name,
    project,
    common,
    directory,
    base: isBranch ? mergeBase(git, base, name) : base,
    createdAt: new Date().toISOString(),
    isReady: false,
    entries: [],
  }
  await writeJson(file, record, { mode: 0o600 })
  try {
    // Forced because a directory that was deleted is still registered.
    const at = isBranch ? [directory, name] : ['-b', name, directory, base]
    git.ask(['worktree', 'add', '--quiet', '--no-checkout', ...(isOurs ? ['--force'] : []), ...at])
  } catch (error) {
    await removeTree(directory)
    rmSync(file, { force: true })
    throw error
  }
  try {
    // Git's settings may depend on the branch and the git directory.
    writeFiles(userGit(directory, host, project), isBranch ? name : `-b ${name}`, recordsDirectory(host.paths))
  } catch (error) {
    await removeTree(directory)
    git.run(['worktree', 'remove', '--force', directory])
    if (!isBranch) git.run(['branch', '-D', '--quiet', name])
    rmSync(file, { force: true })
    throw error
  }
  const own = gitDirectoryOf(path.join(directory, '.git'))
  const done = { ...record, isReady: true, entries: own === null ? [] : worktreeEntries(own) }
  await writeJson(file, done, { mode: 0o600 })
  const missing = copyFiles(copy, project, directory)
  host.note('worktree.made', { name, project, directory, base: done.base })
  const from = isBranch ? 'which existed already' : `from ${base.slice(0, 10)}`
  return {
    record: done,
    isNew: !isBranch,
    notes: [
      `made work tree ${directory} on branch ${name}, ${from}`,
      ...(missing.length === 0 ? [] : [`not copied to the work tree, because they are not regular files: ${missing.join(', ')}`]),
    ],
  }
}

function startOf(git: UserGit, project: string): string {
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']
  const end = git.run(args)
  if (end.status !== 1) return outputOf(args, end)
  throw new PaddockError('BAD_INPUT', `${project} has no commit from which a branch can start.`, {
    hint: `Run: git -C ${project} commit`,
  })
}

/**
 * Writes the files of a new work tree. `branch`: the last arguments of `git worktree add`.
 * @throws PaddockError NOT_ALLOWED if git would run a filter on one of them, FILES_FAILED
 */
function writeFiles(git: UserGit, branch: string, scratch: string): void {
  const listed = git.bytes(['ls-tree', '-r', '-z', '--full-tree', 'HEAD'], '').toString('latin1').split('\0')
  const files = listed.flatMap((each) => (each.startsWith('100') ? [each.slice(each.indexOf('\t') + 1)] : []))
  refuseFilters(convertedIn(git, 'HEAD', files, scratch), {
    state: 'No work tree was made',
    hint: `Look at the filter, then make the work tree with your own git, and run in it: git worktree add ../DIRECTORY ${branch}. Or work on a copy: --copy`,
  })
  git.ask(['reset', '--hard', '--quiet', '--no-recurse-submodules'])
}

function hasBranch(git: UserGit, name: string): boolean {
  return git.run(['show-ref', '--verify', '--quiet', `refs/heads/${name}`]).status === 0
}

function mergeBase(git: UserGit, base: string, name: string): string {
  try {
    return git.ask(['merge-base', base, `refs/heads/${name}`])
  } catch {
    return base
  }
}
