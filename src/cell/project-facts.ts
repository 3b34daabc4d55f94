import { lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../errors.ts'
import { entriesOf, type ProjectFacts } from './facts.ts'
import { type RunLater, runLater, runLaterOfGit } from './run-later.ts'

/** Directories that are not searched for nested files that run later: what is in them is run by other means anyway. */
export const skipped: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__', '.git'])
const mostDirectories = 50_000

interface Found {
  readonly ghosts: ReadonlySet<string>
  present: string[]
  absent: { path: string; kind: 'file' | 'directory'; inert: string }[]
  guards: Set<string>
  links: string[]
  sockets: string[]
}

/**
 * Finds what runs later on the host in a project: at its root, in every git directory of it, and at any depth.
 * `ghosts` are entries that only stand there for another running cell: they count as absent.
 * @throws PaddockError `UNENFORCEABLE` when the tree is too large to be searched.
 */
export function inspectProject(root: string, ghosts: ReadonlySet<string> = new Set()): ProjectFacts {
  const found: Found = { ghosts, present: [], absent: [], guards: new Set(), links: [], sockets: [] }
  for (const each of runLater) look(found, root, root, each, true)
  const git = path.join(root, '.git')
  const kind = ghosts.has(git) ? null : kindOf(git)
  let outerGit: string | null = null
  if (kind === null) found.absent.push({ path: git, kind: 'directory', inert: '' })
  else lookAtGit(found, root, git, kind)
  if (kind === 'file') outerGit = worktreeRepository(git)
  if (outerGit !== null) lookInGitDirectory(found, outerGit, outerGit)
  if (looksLikeGitDirectory(entriesOf(root).map((each) => each.name))) lookInGitDirectory(found, root, root)
  const hooks = hooksPath(path.join(outerGit ?? git, 'config'))
  if (hooks !== null)
    look(found, root, root, { path: hooks, kind: 'directory', anyDepth: false, why: 'git runs the hooks in it', inert: '' }, true)

  const names = new Map(runLater.filter((each) => each.anyDepth).map((each) => [each.path, each]))
  const queue = subdirectories(root)
  for (const each of entriesOf(root)) if (each.isSocket()) found.sockets.push(path.join(root, each.name))
  let searched = 0
  for (let directory = queue.pop(); directory !== undefined; directory = queue.pop()) {
    if (++searched > mostDirectories) {
      throw new PaddockError(
        'UNENFORCEABLE',
        `${root} has more than ${mostDirectories} directories, too many to protect the files in it that run later.`,
        {
          hint: 'Work in a smaller directory of it.',
        },
      )
    }
    const entries = entriesOf(directory)
    if (looksLikeGitDirectory(entries.map((each) => each.name))) {
      lookInGitDirectory(found, root, directory)
      continue
    }
    for (const entry of entries) {
      const rule = names.get(entry.name)
      const here = path.join(directory, entry.name)
      if (entry.name === '.git') lookAtGit(found, root, here, entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'directory' : 'file')
      else if (rule !== undefined) look(found, root, directory, rule, false)
      else if (entry.isSocket()) found.sockets.push(here)
      else if (entry.isDirectory() && !skipped.has(entry.name)) queue.push(here)
    }
  }
  const guards = [...found.guards].sort((a, b) => a.length - b.length)
  return { path: root, present: found.present, absent: found.absent, guards, links: found.links, sockets: found.sockets, outerGit }
}

/** A directory that git takes for a bare repository, whatever its name (gitrepository-layout(5)), and whose config it obeys. */
export function looksLikeGitDirectory(names: readonly string[]): boolean {
  return ['HEAD', 'objects', 'refs'].every((each) => names.includes(each))
}

/** `core.hooksPath` of a repository where it lies in the project (git-config(1)); null otherwise. */
function hooksPath(config: string): string | null {
  let text = ''
  try {
    text = readFileSync(config, 'utf8')
  } catch {
    return null
  }
  const value = /^\s*hookspath\s*=\s*"?([^"\n]*?)"?\s*$/im.exec(text)?.[1]
  if (value === undefined || value === '' || path.isAbsolute(value) || value.startsWith('~')) return null
  const relative = path.normalize(value)
  return relative.startsWith('..') || relative === '.' || relative.startsWith('.git/') ? null : relative.replace(/\/$/, '')
}

function subdirectories(directory: string): string[] {
  return entriesOf(directory)
    .filter((each) => each.isDirectory() && !skipped.has(each.name) && !runLater.some((rule) => rule.path === each.name))
    .map((each) => path.join(directory, each.name))
}

function look(found: Found, root: string, directory: string, rule: RunLater, absentToo: boolean): void {
  const file = path.join(directory, rule.path)
  const kind = found.ghosts.has(file) ? null : kindOf(file)
  if (kind === 'link') found.links.push(file)
  else if (kind !== null) {
    found.present.push(file)
    guard(found, root, path.dirname(file))
  } else if (absentToo) found.absent.push({ path: file, kind: rule.kind, inert: rule.inert })
}

function lookAtGit(found: Found, root: string, git: string, kind: 'file' | 'directory' | 'link'): void {
  if (kind === 'link') found.links.push(git)
  else if (kind === 'file') {
    found.present.push(git)
    guard(found, root, path.dirname(git))
  } else lookInGitDirectory(found, root, git)
}

/** The git directory itself, the ones of its submodules (`modules/…`), and its worktrees' own configuration. */
function lookInGitDirectory(found: Found, root: string, git: string): void {
  for (const worktree of entriesOf(path.join(git, 'worktrees'))) {
    const own = path.join(git, 'worktrees', worktree.name)
    guard(found, root, own)
    for (const rule of runLaterOfGit) if (rule.kind === 'file' && rule.path !== 'config') look(found, root, own, rule, true)
  }
  const queue = [git]
  for (let each = queue.pop(); each !== undefined; each = queue.pop()) {
    if (each === git || kindOf(path.join(each, 'config')) !== null) {
      guard(found, root, each)
      for (const rule of runLaterOfGit) look(found, root, each, rule, true)
    }
    const below = each === git ? 'modules' : ''
    for (const entry of entriesOf(path.join(each, below))) {
      if (entry.isDirectory() && !['objects', 'refs', 'logs', 'hooks', 'info'].includes(entry.name))
        queue.push(path.join(each, below, entry.name))
    }
  }
}

/** A directory and its ancestors below the root become mount points of their own, so that none can be renamed. */
function guard(found: Found, root: string, directory: string): void {
  for (let each = directory; each !== root && each.startsWith(root + '/'); each = path.dirname(each)) found.guards.add(each)
}

function kindOf(file: string): 'file' | 'directory' | 'link' | null {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return null
  return stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'directory' : 'file'
}

/**
 * The common git directory of a linked worktree (gitrepository-layout(5)), where both sides say that they belong
 * together: a `.git` file alone could name any repository of the user's.
 */
function worktreeRepository(gitFile: string): string | null {
  try {
    const gitdir = /^gitdir: (.+)$/m.exec(readFileSync(gitFile, 'utf8'))?.[1]?.trim()
    if (gitdir === undefined) return null
    const own = path.resolve(path.dirname(gitFile), gitdir)
    if (path.basename(path.dirname(own)) !== 'worktrees') return null
    const back = readFileSync(path.join(own, 'gitdir'), 'utf8').trim()
    const common = path.resolve(own, readFileSync(path.join(own, 'commondir'), 'utf8').trim())
    return path.resolve(own, back) === gitFile && common === path.dirname(path.dirname(own)) ? common : null
  } catch {
    return null
  }
}
