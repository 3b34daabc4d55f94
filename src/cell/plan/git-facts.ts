import path from 'node:path'
import { entriesOf } from '../../files/entries-of.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { configFileOf } from '../../git/config-put-aside.ts'
import { readGitConfig } from '../../git/config-syntax.ts'
import { looksLikeGitDirectory } from '../../git/directory-names.ts'
import { headOf } from '../../git/tips.ts'
import { runLaterOfGit } from './protected/run-later.ts'
import type { TreeSearch } from './tree-search.ts'
import { addWorkTrees } from './work-trees.ts'

/** Returns true for a directory that git treats as a repository (`looksLikeGitDirectory`). */
export function isGitDirectory(directory: string): boolean {
  return looksLikeGitDirectory(new Set(entriesOf(directory).map((each) => each.name)))
}

/** Adds the files that git obeys in a git directory, and in those of its submodules (`modules/…`) and worktrees. */
export function gitEntries(found: TreeSearch, git: string, kind: 'file' | 'directory' | 'link'): void {
  if (kind === 'link') {
    found.links.push(git)
    return
  }
  if (kind === 'file') {
    found.present.add(git)
    found.guard(path.dirname(git))
    const own = gitDirectoryOf(git)
    if (own === null) return
    found.repository(own, path.dirname(git))
    const standing = own.startsWith(`${found.root}/`) ? found.kind(own) : null
    if (standing !== null) gitEntries(found, own, standing)
    return
  }
  found.repository(git, path.basename(git) === '.git' ? path.dirname(git) : null)
  if (found.gitDirectories.has(git)) return
  found.gitDirectories.add(git)
  found.guard(git)
  found.atGit(git)
  for (const rule of runLaterOfGit) found.look(git, rule, true)
  found.lock(git)
  const common = commonDirectory(git)
  // Git obeys the config, whether or not the directory is a repository by itself.
  if (common.startsWith(`${found.root}/`) && found.kind(common) !== null) gitEntries(found, common, found.kind(common) ?? 'directory')
  const workTrees = addWorkTrees(found, git, directoriesOf(found, path.join(git, 'worktrees')))
  for (const each of [git, ...workTrees]) addModules(found, each)
}

/**
 * Adds the git directories of submodules. `git submodule update` would obey new entries. So the directory is read-only, but the existing ones
 * in it are not (`open-modules.ts` makes an exception).
 */
function addModules(found: TreeSearch, git: string): void {
  const modules = path.join(git, 'modules')
  found.look(git, { path: 'modules', kind: 'directory', inert: '' }, true)
  found.shells.add(modules)
  const queue = [...directoriesOf(found, modules)]
  for (let each = queue.pop(), seen = 0; each !== undefined && seen < 2000; each = queue.pop(), seen++) {
    if (isGitDirectory(each)) gitEntries(found, each, 'directory')
    else queue.push(...directoriesOf(found, each))
  }
}

/**
 * Returns the directory with a git directory's config and objects, according to its `commondir`. Without one, returns the directory itself.
 */
export function commonDirectory(git: string): string {
  return path.resolve(git, readRegularSync(path.join(git, 'commondir'), 4096)?.replace(/[\r\n]+$/, '') ?? '')
}

/** Returns the commit that is checked out in a project; null if there is none. */
export function checkedOut(project: string): string | null {
  const git = path.join(project, '.git')
  const own = gitDirectoryOf(git) ?? git
  return headOf(own, commonDirectory(own))
}

/** Returns the git directory that a `.git` file names (gitrepository-layout(5)); null if the file names none. */
export function gitDirectoryOf(gitFile: string): string | null {
  const gitdir = /^gitdir: (.+)$/m.exec(readRegularSync(gitFile, 4096)?.trim() ?? '')?.[1]?.trim()
  return gitdir === undefined ? null : path.resolve(path.dirname(gitFile), gitdir)
}

/** Returns the real directories in a directory. Adds links to the refused ones. */
function directoriesOf(found: TreeSearch, directory: string): readonly string[] {
  const kind = found.kind(directory)
  if (kind === 'link') found.links.push(directory)
  if (kind !== 'directory') return []
  const entries = entriesOf(directory)
  for (const each of entries) if (each.isSymbolicLink()) found.links.push(path.join(directory, each.name))
  return entries.filter((each) => each.isDirectory()).map((each) => path.join(directory, each.name))
}

/**
 * Returns the outer git directory that a linked worktree or a submodule shares or uses, if both sides name each other. A `.git` file
 * by itself could name any repository of the user.
 */
export function outerRepository(gitFile: string): string | null {
  return worktreeRepository(gitFile) ?? submoduleRepository(gitFile)
}

/** Returns the git directory of a submodule: `modules/NAME` in a git directory, whose `core.worktree` points back (git-submodule(1)). */
function submoduleRepository(gitFile: string): string | null {
  const own = gitDirectoryOf(gitFile)
  if (own === null || !own.includes('/modules/')) return null
  const { entries } = readGitConfig(readRegularSync(configFileOf(own), 1024 ** 2) ?? '')
  const back = entries.findLast((each) => each.key === 'core.worktree')?.value
  return back && path.resolve(own, back) === path.dirname(gitFile) ? own : null
}

/** Returns the common git directory of a linked worktree (gitrepository-layout(5)). */
function worktreeRepository(gitFile: string): string | null {
  const read = (file: string): string | null => readRegularSync(file, 4096)?.trim() ?? null
  const own = gitDirectoryOf(gitFile)
  if (own === null) return null
  if (path.basename(path.dirname(own)) !== 'worktrees') return null
  const [back, common] = [read(path.join(own, 'gitdir')), read(path.join(own, 'commondir'))]
  if (back === null || common === null) return null
  const repository = path.resolve(own, common)
  return path.resolve(own, back) === gitFile && repository === path.dirname(path.dirname(own)) ? repository : null
}
