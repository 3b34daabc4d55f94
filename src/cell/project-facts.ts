import path from 'node:path'
import { PaddockError } from '../errors.ts'
import { entriesOf, type ProjectFacts } from './facts.ts'
import { looksLikeGitDirectory } from './git-directory-names.ts'
import { configuredPaths, gitEntries, isGitDirectory, worktreeRepository } from './git-facts.ts'
import { runLater } from './run-later.ts'
import { TreeSearch } from './tree-search.ts'

/** Directories that are not searched for nested files that run later: what is in them is run by other means anyway. */
export const skipped: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__', '.git'])
const mostDirectories = 50_000
/** Each is a mount, and bwrap(1) takes 9,000 words. */
const mostProtected = 1500

/**
 * Finds what runs later on the host in a tree that a cell may write to: at its root, in every git directory of it, and
 * at any depth. `ghosts` are entries that only stand there for another running cell: they count as absent.
 * `userGitConfigs`: the user's own configuration of git, which may send it into the project, too.
 * @throws PaddockError `UNENFORCEABLE` when the tree is too large to be searched or has too much to protect.
 */
export function inspectProject(
  root: string,
  ghosts: ReadonlySet<string> = new Set(),
  userGitConfigs: readonly string[] = [],
): ProjectFacts {
  const found = new TreeSearch(root, ghosts)
  for (const each of runLater) found.look(root, each, true)
  const git = path.join(root, '.git')
  const kind = found.kind(git)
  if (kind === null) found.absent.set(git, { path: git, kind: 'directory', inert: '' })
  else gitEntries(found, git, kind)
  const outerGit = kind === 'file' ? worktreeRepository(git) : null
  if (outerGit !== null) {
    const outside = new TreeSearch(outerGit, ghosts)
    gitEntries(outside, outerGit, 'directory')
    for (const each of outside.present) found.present.add(each)
    for (const [each, rule] of outside.absent) found.absent.set(each, rule)
    found.links.push(...outside.links)
    for (const each of outside.guards) found.guards.add(each)
  }
  const isRepository = isGitDirectory(root)
  if (isRepository) gitEntries(found, root, 'directory')
  const configs = [path.join(outerGit ?? git, 'config'), ...userGitConfigs]
  for (let config = configs.shift(), read = 0; config !== undefined && read < 50; config = configs.shift(), read++) {
    for (const each of configuredPaths(config, root)) {
      found.look(root, each, true)
      // What is included may include and set more.
      if (each.kind === 'file') configs.push(path.join(root, each.path))
    }
  }
  search(found)
  if (found.guards.size + found.present.size + found.absent.size > mostProtected) {
    throw new PaddockError(
      'UNENFORCEABLE',
      `${root} has more than ${mostProtected} files and directories that run later, too many to protect.`,
      {
        hint: 'Look into .git/modules and for nested repositories, or work in a smaller directory of it.',
      },
    )
  }
  return found.facts(outerGit, isRepository)
}

/** Every directory below the root: nested files that run later, repositories, and sockets of programs of the host. */
function search(found: TreeSearch): void {
  const names = new Map(runLater.filter((each) => each.anyDepth).map((each) => [each.path, each]))
  const queue = [found.root]
  let searched = 0
  for (let directory = queue.pop(); directory !== undefined; directory = queue.pop()) {
    if (++searched > mostDirectories) {
      throw new PaddockError(
        'UNENFORCEABLE',
        `${found.root} has more than ${mostDirectories} directories, too many to protect the files in it that run later.`,
        {
          hint: 'Work in a smaller directory of it.',
        },
      )
    }
    const entries = entriesOf(directory)
    const isRoot = directory === found.root
    if (!isRoot && looksLikeGitDirectory(new Set(entries.map((each) => each.name)))) {
      gitEntries(found, directory, 'directory')
      continue
    }
    for (const entry of entries) {
      const here = path.join(directory, entry.name)
      const rule = names.get(entry.name)
      if (entry.isSocket()) found.sockets.push(here)
      else if (entry.name === '.git') {
        if (!isRoot) gitEntries(found, here, entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'directory' : 'file')
        for (const each of entry.isDirectory() ? entriesOf(here) : []) if (each.isSocket()) found.sockets.push(path.join(here, each.name))
      } else if (rule !== undefined) {
        if (!isRoot) found.look(directory, rule, false)
        for (const each of entry.isDirectory() ? entriesOf(here) : []) if (each.isSocket()) found.sockets.push(path.join(here, each.name))
      } else if (entry.isDirectory() && !skipped.has(entry.name)) queue.push(here)
    }
  }
}
