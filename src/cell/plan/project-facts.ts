import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { entriesOf } from '../../files/entries-of.ts'
import { looksLikeGitDirectory } from '../../git/directory-names.ts'
import { type GitUser, nobody } from '../../git/git-settings.ts'
import { contains } from './filesystem.ts'
import { commonDirectory, gitDirectoryOf, gitEntries, isGitDirectory, outerRepository } from './git-facts.ts'
import { configuredPaths, sentByUser } from './git-sent.ts'
import { heldRepositories } from './held/find-held.ts'
import { type HeldRepository, sparseFileOf } from './held/held-repository.ts'
import { isLaundered } from './laundered/is-laundered.ts'
import type { ProjectFacts, WorkTree } from './machine-facts.ts'
import { privateHooks } from './private-hooks.ts'
import type { RunLater, RunLaterRules } from './protected/run-later.ts'
import { openModules, shownConfigs } from './submodules/open-modules.ts'
import { TreeSearch } from './tree-search.ts'
import { isManifest } from './ways-out.ts'

/** Directories that are not searched for nested files that run later, because their contents run in other ways in any case. */
export const skipped: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__', '.git'])
const mostDirectories = 500_000
/** Maximum number of protected paths. Each one is a mount, and bwrap(1) accepts 9,000 arguments. */
const mostProtected = 1500

export interface InspectOptions {
  /** The path of the project in the cell. Default: the root. */
  readonly project?: string
  /** Called with each git directory before its files are looked at. */
  readonly atGit?: ((git: string) => void) | undefined
  /** True for a work tree in which nothing is protected, not even what the configuration of its repository names. */
  readonly isTaskTree?: boolean
  /** Directories in the tree that the cell cannot write to. They are protected as a whole, and not searched. */
  readonly readOnly?: readonly string[]
  /** True if changes are reviewed and nothing is mounted: the limits refuse nothing then. */
  readonly isReview?: boolean
  /**
   * Returns true for rules whose names are taken by an inert entry if they do not exist at the root. `isStarted`: the project has other files
   * than those of a new repository. Default: none.
   */
  readonly isTaken?: (rule: RunLater, isStarted: boolean) => boolean
}

/** Files that hosts of repositories put into a new one. */
const ofNewRepository = /^(readme|licen[cs]e|copying|notice|unlicense)(\.\w+)?$|^\.git(ignore|attributes)$/i

/**
 * Finds everything that runs later on the host in a tree that a cell may write to: at its root, in all of its git directories, and at any
 * depth. `inertPaths` are entries that exist only for another running cell and count as absent. `user`: the user whose git configuration may
 * also name paths in the project.
 * @throws PaddockError `UNENFORCEABLE` if the tree is too large to be searched or has too many paths to protect
 */
export function inspectProject(
  root: string,
  rules: RunLaterRules,
  inertPaths: ReadonlySet<string> = new Set(),
  user: GitUser = nobody,
  { project = root, atGit, isTaskTree = false, readOnly = [], isReview = false, isTaken = () => false }: InspectOptions = {},
): ProjectFacts {
  const found = new TreeSearch(root, inertPaths, project, atGit)
  const git = path.join(root, '.git')
  const kind = found.kind(git)
  // Tools that create a project want an empty directory, and nobody has a program open in it that obeys a new entry.
  const own = entriesOf(root).filter((each) => each.name !== '.git' && !inertPaths.has(path.join(root, each.name)))
  const hasFiles = own.length > 0
  const isStarted = own.some((each) => !each.isFile() || !ofNewRepository.test(each.name))
  found.isEmpty = !hasFiles && kind === null
  for (const each of rules.runLater) if (each.inert !== null) found.look(root, each, hasFiles && isTaken(each, isStarted))
  if (hasFiles && kind === null) found.absent.set(git, { path: git, kind: 'directory', inert: '' })
  if (kind !== null) gitEntries(found, git, kind)
  const outerGit = kind === 'file' ? outerRepository(git) : null
  const outside = outerGit === null ? null : new TreeSearch(outerGit, inertPaths, project, atGit)
  if (outside !== null) gitEntries(outside, outside.root, 'directory')
  const isRepository = isGitDirectory(root)
  if (isRepository) gitEntries(found, root, 'directory')
  for (const each of readOnly) {
    found.present.add(each)
    found.guard(path.dirname(each))
  }
  search(found, rules, readOnly, isReview)
  // A repository may be created here later.
  if (!found.repositories.has(git)) found.repository(git, root)
  sendGit(found, user, isTaskTree)
  const both = [found, ...(outside === null ? [] : [outside])]
  const hooks = isTaskTree ? [] : both.flatMap((each) => privateHooks(each, readOnly))
  const submodules = { submodules: both.flatMap((each) => openModules(each, root)), shownConfigs: both.flatMap(shownConfigs) }
  if (outside !== null) {
    sendGit(outside, user)
    found.add(outside)
  }
  const toProtect = [...found.guards, ...found.present, ...found.absent.keys()]
  if (!isReview && toProtect.length > mostProtected)
    throw tooMany(found, `${mostProtected} files and directories that run later (in git directories, for example)`, toProtect)
  const facts = found.facts(outerGit, isRepository, heldIn(found, outside), workTreesIn(found, outside))
  return {
    ...facts,
    ...submodules,
    isTaskTree,
    privateHooks: hooks,
    mainState: outside === null ? [] : mainState(outside, gitDirectoryOf(git)),
  }
}

/** Returns the repositories with held paths. A link in the way of their patterns leaves a repository out. */
function heldIn(found: TreeSearch, outside: TreeSearch | null): readonly HeldRepository[] {
  return heldRepositories(found).flatMap((each) => {
    const isOutside = outside !== null && (each.git === outside.root || each.git.startsWith(`${outside.root}/`))
    const tree = isOutside ? outside : found
    const file = sparseFileOf(each.git)
    const [directory, patterns] = [tree.kind(path.dirname(file)), tree.kind(file)]
    const isUsable = directory !== 'link' && directory !== 'file' && (patterns === null || patterns === 'file')
    return isUsable
      ? [{ ...each, hasInfo: directory !== null, hasSparseFile: patterns !== null, hasSparseLock: tree.kind(`${file}.lock`) !== null }]
      : []
  })
}

/** Returns the work trees in a tree whose git directories are in it too, or in the outer one. */
function workTreesIn(found: TreeSearch, outside: TreeSearch | null): readonly WorkTree[] {
  const writable = (git: string): boolean => contains(found.root, git) || (outside !== null && contains(outside.root, git))
  const all = [found, ...(outside === null ? [] : [outside])].flatMap(({ repositories }) => [...repositories])
  const inHere = new Map<string, WorkTree>()
  for (const [own, workTrees] of all)
    for (const each of workTrees) {
      if (!contains(found.root, each) || !writable(own)) continue
      const common = commonDirectory(own)
      if (writable(common)) inHere.set(each, { path: each, own, common })
    }
  return [...inHere.values()]
}

/** What git goes on with at the next commit or `--continue` (gitrepository-layout(5)). */
const inProgress = ['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'MERGE_MODE', 'MERGE_MSG', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']

/** Returns the entries of the main work tree that a cell in a linked one must not change. `own`: the git directory of the linked one. */
function mainState(outside: TreeSearch, own: string | null): readonly string[] {
  if (own === outside.root) return []
  return ['HEAD', 'index', ...inProgress]
    .map((each) => path.join(outside.root, each))
    .filter((each) => ['file', 'directory'].includes(outside.kind(each) ?? ''))
}

/**
 * Protects the paths that git configurations name: the user's in all repositories, each repository's in itself. A configuration that
 * git itself rejects is reported as not protected, except in nested repositories: git runs nothing there until the user has fixed it, and
 * such files are common in tests.
 */
function sendGit(found: TreeSearch, user: GitUser, isTaskTree = false): void {
  const own = sentByUser(found.root, user)
  const sent = [own]
  // Hooks in a task's tree are the agent's.
  for (const [each, workTrees] of isTaskTree ? [] : found.repositories) {
    const repository = { git: each, common: commonDirectory(each), workTrees: [...workTrees] }
    const { places, unread } = configuredPaths(found.root, repository, user, own.settings)
    sent.push({ ...own, places, unread: workTrees.has(found.root) || each === found.root ? unread : [] })
  }
  for (const { places, unread } of sent) {
    for (const each of places) found.sent(each.path, each.kind)
    for (const each of unread) found.unkept.add(`${each}, so what it sends git to is not known`)
  }
}

/** Searches every directory in the root for nested files that run later, repositories, and sockets of host programs. */
function search(found: TreeSearch, { protectedAt }: RunLaterRules, readOnly: readonly string[], isReview: boolean): void {
  const queue = [found.root]
  const closed = new Set(readOnly)
  const isOfCell = (git: string): boolean => isLaundered(git, (file) => contains(found.root, file))
  const ofCells: string[] = []
  for (const [at, directory] of queue.entries()) {
    if (at >= mostDirectories) {
      if (isReview) break
      throw tooMany(found, `${mostDirectories} directories`, queue)
    }
    const entries = entriesOf(directory)
    const isRoot = directory === found.root
    const relativeTo = (file: string): string => file.slice(found.root.length + 1)
    if (entries.length === 0 && !isReadable(directory)) found.listed.unlisted.push(relativeTo(directory))
    if (!isRoot && looksLikeGitDirectory(new Set(entries.map((each) => each.name)))) {
      if (isOfCell(directory)) ofCells.push(directory)
      else gitEntries(found, directory, 'directory')
      found.listed.unlisted.push(relativeTo(directory))
      continue
    }
    for (const entry of entries) {
      const here = directory === '/' ? `/${entry.name}` : `${directory}/${entry.name}`
      const relative = relativeTo(here)
      const rule = protectedAt(relative, entry.isDirectory() ? 'directory' : 'file')
      if (entry.isSymbolicLink() && entry.name !== '.git') found.ways.links.push(relative)
      else if (isManifest(entry.name)) found.ways.manifests.push(relative)
      if (closed.has(here)) found.listed.unlisted.push(relative)
      else if (entry.isSocket()) found.sockets.push(here)
      else if (entry.name === '.git') {
        if (!isRoot && entry.isDirectory() && isOfCell(here)) ofCells.push(here)
        else if (!isRoot) gitEntries(found, here, entry.isSymbolicLink() ? 'link' : entry.isDirectory() ? 'directory' : 'file')
        for (const each of entry.isDirectory() ? entriesOf(here) : []) if (each.isSocket()) found.sockets.push(path.join(here, each.name))
      } else if (rule !== null) {
        if (!isRoot || rule.inert === null) found.look(directory, { ...rule, path: entry.name }, false)
        for (const each of entry.isDirectory() ? entriesOf(here) : []) if (each.isSocket()) found.sockets.push(path.join(here, each.name))
      } else if (!entry.isDirectory()) found.listed.files.push(relative)
      else if (skipped.has(entry.name)) {
        found.listed.unlisted.push(relative)
        if (entry.name !== '__pycache__') found.ways.packages.push(relative)
      } else queue.push(here)
    }
  }
  // Tools replace the repositories that they made. At the end of the cell, these are laundered again.
  for (const git of ofCells) {
    const around = path.basename(git) === '.git' ? path.dirname(git) : git
    if ([...found.present].some((each) => each.startsWith(`${around}/`))) gitEntries(found, git, 'directory')
    else found.laundered.push(git)
  }
}

/** `all`: the paths that are too many. The hint names the directory with most of them. */
function tooMany({ root, project }: TreeSearch, what: string, all: readonly string[]): PaddockError {
  const counts = new Map<string, number>()
  for (const each of all) {
    const [top = '', ...rest] = path.relative(root, each).split('/')
    if (rest.length > 0 && top !== '..' && top !== '.git') counts.set(top, (counts.get(top) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return new PaddockError('UNENFORCEABLE', `${project} has more than ${what}, too many to protect what runs later.`, {
    hint: `${most === undefined ? '' : `Make directories read-only, the largest first: --ro ${path.join(project, most[0])}. Or `}work in a smaller directory of it`,
  })
}

function isReadable(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
