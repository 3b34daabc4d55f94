import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { contains } from '../../cell/plan/filesystem.ts'
import { ownGit, pathsIn } from '../../cell/trees/own-git.ts'
import { repositoryOf } from '../../cell/trees/source-repository.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { isPlainPath, parentsOf } from '../copy-names.ts'
import type { FileTaker } from './file-taker.ts'
import { copyGitDirectory } from './git-directory.ts'

/** A selection of a project's files to copy. Paths are relative to the project. A directory is wanted if something in it is. */
export interface Wanted {
  file(path: string): boolean
  directory(path: string): boolean
}

export const everything: Wanted = { file: () => true, directory: () => true }

/** The repositories found in the project, and notes about files that were not copied. */
export interface Repositories {
  readonly roots: string[]
  readonly notes: string[]
}

const mostRepositories = 500

interface Search {
  readonly project: string
  readonly tree: string
  readonly taker: FileTaker
  readonly searchPath: string
  readonly excludes: string | null
  readonly within: readonly string[]
  readonly found: Repositories
  readonly files: Set<string>
  readonly wholes: Set<string>
}

/**
 * Returns tracked files, and untracked files that are not ignored, of the repository at the project's root and of repositories in it
 * (submodules, nested clones). First makes their git directories in the copy, because git reads those for this and not the project's
 * own.
 */
export async function trackedAndNew(
  project: string,
  tree: string,
  taker: FileTaker,
  options: { readonly searchPath: string; readonly excludes: string | null; readonly within: readonly string[] },
): Promise<Wanted & { readonly found: Repositories }> {
  const search: Search = { project, tree, taker, ...options, found: { roots: [], notes: [] }, files: new Set(), wholes: new Set() }
  await listRepository(search, '')
  const directories = new Set<string>()
  for (const each of search.files) for (const parent of parentsOf(each)) if (!add(directories, parent)) break
  for (const each of search.wholes) for (const parent of [each, ...parentsOf(each)]) directories.add(parent)
  const inWhole = (file: string): boolean => search.wholes.size > 0 && parentsOf(file).some((each) => search.wholes.has(each))
  return {
    file: (file) => search.files.has(file) || inWhole(file),
    directory: (directory) => directories.has(directory) || inWhole(directory),
    found: search.found,
  }
}

/**
 * Makes the git directory of one repository in the copy. Returns false if nothing there may be copied. Its name may come from an index that
 * an agent wrote. If the name leads out of the project, or a link is in the path, nothing is read or written.
 */
export async function takeRepository(
  relative: string,
  at: Pick<Search, 'project' | 'tree' | 'taker' | 'within' | 'found'>,
): Promise<boolean> {
  const [workTree, target] = [path.join(at.project, relative), path.join(at.tree, relative)]
  if (relative !== '' && !(isPlainPath(relative) && contains(at.project, workTree) && contains(at.tree, target))) return false
  const standing = kindBelow(at.tree, target)
  if (standing !== null && standing !== 'directory') return false
  const repository = isRealDirectory(workTree) ? repositoryOf(workTree, at.within) : null
  if (repository === null) return false
  mkdirSync(target, { recursive: true })
  const notes = await copyGitDirectory(repository, path.join(target, '.git'), at.taker)
  at.found.roots.push(relative)
  at.found.notes.push(...notes.map((each) => (relative === '' ? each : `${relative}: ${each}`)))
  return true
}

async function listRepository(search: Search, relative: string): Promise<void> {
  if (search.found.roots.length >= mostRepositories || !(await takeRepository(relative, search))) {
    search.wholes.add(relative)
    return
  }
  const places = {
    gitDirectory: path.join(search.tree, relative, '.git'),
    workTree: path.join(search.project, relative),
    searchPath: search.searchPath,
    excludes: search.excludes,
  }
  const [staged, others] = await Promise.all([
    ownGit(['ls-files', '-z', '--stage'], places),
    ownGit(['ls-files', '-z', '--others', '--exclude-standard'], places),
  ])
  const at = (name: string): string => (relative === '' ? name : `${relative}/${name}`)
  const [nested, strange]: [string[], string[]] = [[], []]
  const take = (name: string, isRepository: boolean): void => {
    if (isPlainPath(name)) isRepository ? nested.push(at(name)) : search.files.add(at(name))
    else if (isRepository) strange.push(at(name))
  }
  for (const line of pathsIn(staged)) take(line.slice(line.indexOf('\t') + 1), line.startsWith('160000 '))
  // A nested repository is listed as one name with a slash at the end.
  for (const name of pathsIn(others)) take(name.replace(/\/$/, ''), name.endsWith('/'))
  if (strange.length > 0) {
    const more = strange.length > 1 ? ` and ${strange.length - 1} more` : ''
    search.found.notes.push(`${strange[0]}${more} was not taken: the index has it as a submodule, and it is not a path in the project`)
  }
  for (const each of new Set(nested)) await listRepository(search, each)
}

function isRealDirectory(directory: string): boolean {
  try {
    return lstatSync(directory).isDirectory() && realpathSync(directory) === directory
  } catch {
    return false
  }
}

function add(set: Set<string>, value: string): boolean {
  if (set.has(value)) return false
  set.add(value)
  return true
}
