import { PaddockError } from '../base/errors.ts'
import { listed, printable } from '../base/text.ts'
import { gitUserOf } from '../copy/copy-host.ts'
import { refuseWhileRunning } from '../copy/hold-copy.ts'
import type { Converted } from '../git/filter-drivers.ts'
import { refuseOwnSigning } from '../git/signing/refuse-own-signing.ts'
import { convertedIn, refuseFilters } from './filters.ts'
import { refuseLinks, writtenOf } from './refuse-links.ts'
import { type ChangedPath, laterAmong } from './run-later-changes.ts'
import { type WorktreeState, worktreeState } from './state.ts'
import { outputOf, type UserGit, userGit } from './user-git.ts'
import type { WorktreeHost } from './worktree-host.ts'
import { lockWorktrees, recordsDirectory, repositoryAt } from './worktree-place.ts'
import type { WorktreeRecord } from './worktree-record.ts'

export interface MergedWorktree {
  /** The branch of the project into which it was merged, and its new commit. */
  readonly into: string
  readonly commit: string
  /** The number of merged commits. */
  readonly commits: number
  /** Paths of the project that changed. */
  readonly files: readonly string[]
  /** Files of the work tree that are in no commit, and so were not merged. */
  readonly uncommitted: readonly string[]
}

/** The git directory of the project, for one merge. */
interface Project {
  readonly git: UserGit
  readonly head: string
  readonly into: string
}

const mostShown = 10

/**
 * Merges the branch of a work tree into the branch that is checked out in its project. The merge is computed first, without the files of the
 * project. The project is changed only by a fast-forward, which git does completely or not at all.
 * @throws PaddockError CONFLICT if git cannot merge them; NOT_ALLOWED for files that run later, unless `runLater`; BUSY while a cell can
 * write to the repository. Nothing was changed then
 */
export async function mergeWorktree(
  record: WorktreeRecord,
  { runLater }: { readonly runLater: boolean },
  host: WorktreeHost,
): Promise<MergedWorktree> {
  const { name, directory, common, project } = record
  using _lock = await lockWorktrees(host.paths, common, 'paddock worktree merge')
  await refuseWhileRunning([directory, project, common], host.paths, true)
  const state = await worktreeState(record, host)
  const tip = refuseElsewhere(record, state)
  const at = projectOf(record, host)
  const commits = Number(at.git.ask(['rev-list', '--count', `${at.head}..${tip}`]))
  if (commits === 0) throw nothingToMerge(record, state)
  const { tree, isAhead } = mergedTree(at, tip, record)
  const changed = changedIn(at, tree)
  const files = changed.map((each) => each.path)
  if (!runLater) refuseLater(name, laterAmong(changed, record, host))
  const hint = `Look at the filter, then merge with your own git: git -C ${project} merge ${name}`
  const written = changed.flatMap((each) => (each.isFile ? [Buffer.from(each.path).toString('latin1')] : []))
  refuseFilters(convertedIn(at.git, tree, written, recordsDirectory(host.paths)), { state: 'Nothing was merged', hint })
  const commit = isAhead ? tip : commitOf(at, tree, tip, name)
  forward(at, commit, project)
  host.note('worktree.merged', {
    name,
    project,
    into: at.into,
    commit,
    commits,
    paths: files.slice(0, 200),
    ...(runLater ? { runLater } : {}),
  })
  return { into: at.into, commit, commits, files, uncommitted: state.uncommitted }
}

/** Returns the commit to merge. @throws PaddockError CONFLICT if something else than the branch is checked out in the work tree */
function refuseElsewhere({ name, directory }: WorktreeRecord, { branch, head, inProgress }: WorktreeState): string {
  if (inProgress !== null)
    throw new PaddockError('CONFLICT', `A ${inProgress} is in progress in the work tree ${name}, so nothing was merged.`, {
      hint: `Finish it in ${directory}, or end it with: git ${inProgress} --abort`,
    })
  if (branch === name && head !== null) return head
  throw new PaddockError(
    'CONFLICT',
    `The work tree ${name} is on ${branch === null ? 'no branch' : `branch ${branch}`}, so nothing was merged.`,
    {
      hint: `Merge with your own git what you want: git merge ${branch ?? head ?? name}`,
    },
  )
}

function projectOf({ name, project, common }: WorktreeRecord, host: WorktreeHost): Project {
  const git = userGit(project, host)
  const branch = git.run(['symbolic-ref', '--quiet', 'HEAD'])
  if (branch.status !== 0)
    throw new PaddockError('CONFLICT', `${project} is not on a branch, so nothing was merged.`, {
      hint: `Run: git -C ${project} switch BRANCH`,
    })
  // Not the short name, which is another one if a tag has the same name.
  const into = branch.stdout.trim().replace('refs/heads/', '')
  refuseLinks(common, writtenOf(into))
  refuseLinks(repositoryAt(project).own, ['HEAD', 'index', 'ORIG_HEAD', 'logs/HEAD'])
  refuseOwnSigning({
    git: (args, input) => git.bytes(args, input),
    project,
    user: gitUserOf(host),
    state: 'Nothing was merged',
    otherwise: `merge with your own git: git -C ${project} merge ${name}`,
  })
  return { git, into, head: git.ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']) }
}

/** Returns the merged tree. `isAhead`: the commit contains all commits of the project, so it is the result. */
function mergedTree(at: Project, tip: string, { name, project }: WorktreeRecord): { readonly tree: string; readonly isAhead: boolean } {
  if (at.git.run(['merge-base', '--is-ancestor', at.head, tip]).status === 0) return { tree: tip, isAhead: true }
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', at.head, tip]
  const merged = at.git.run(args)
  refuseDriver(at.git.drivers.wantedIn(merged.stderr), project, name)
  const [tree = '', ...conflicts] = merged.stdout.split('\0').filter((each) => each !== '')
  if (merged.status === 0) return { tree, isAhead: false }
  if (merged.status !== 1) outputOf(args, merged)
  throw new PaddockError('CONFLICT', `${name} conflicts with ${at.into} in ${few(conflicts)}, so nothing was merged.`, {
    hint: `Resolve it with your own git: git -C ${project} merge ${name}`,
  })
}

function refuseDriver(wanted: Converted | null, project: string, name: string): void {
  if (wanted === null) return
  const { path: file, key } = wanted
  throw new PaddockError(
    'NOT_ALLOWED',
    `Nothing was merged: to merge ${printable(file)}, git would run a merge driver (${key}), which may run files of an agent.`,
    { hint: `Look at the driver, then merge with your own git: git -C ${project} merge ${name}` },
  )
}

/** Returns the paths in which a tree differs from the project's commit. */
function changedIn(at: Project, tree: string): readonly (ChangedPath & { readonly isFile: boolean })[] {
  // :100644 120000 OLD NEW M, then the path (git-diff-tree(1)).
  const fields = at.git.ask(['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', at.head, tree]).split('\0')
  return fields.flatMap((head, index) => {
    const [, mode, , id = ''] = head.startsWith(':') && index % 2 === 0 ? head.split(' ') : []
    if (mode === undefined) return []
    const isFile = mode.startsWith('100')
    return [{ path: fields[index + 1] ?? '', isFile, link: mode === '120000' ? at.git.run(['cat-file', 'blob', id]).stdout : null }]
  })
}

function nothingToMerge({ name, directory }: WorktreeRecord, { uncommitted }: WorktreeState): PaddockError {
  if (uncommitted.length === 0) return new PaddockError('CONFLICT', `The branch ${name} has no commit to merge.`)
  return new PaddockError('CONFLICT', `The branch ${name} has no commit to merge; uncommitted in its work tree: ${few(uncommitted)}.`, {
    hint: `Commit in ${directory}, or let the agent do it`,
  })
}

function refuseLater(name: string, later: ReturnType<typeof laterAmong>): void {
  if (later.length === 0) return
  const shown = later.map(({ path: each, why }) => `${each} (${why})`)
  throw new PaddockError('NOT_ALLOWED', `Nothing was merged, because these will run or be obeyed on your machine later: ${few(shown)}.`, {
    hint: `Look at them with git diff HEAD...${name}, then merge with --run-later`,
  })
}

/** Makes the merge commit, signed if the user signs commits. No ref points to it yet. */
function commitOf(at: Project, tree: string, tip: string, name: string): string {
  const isSigned = at.git.run(['config', '--type=bool', '--get', 'commit.gpgSign']).stdout.trim() === 'true'
  const parents = ['-p', at.head, '-p', tip]
  return at.git.ask(['commit-tree', tree, ...(isSigned ? ['-S'] : []), ...parents, '-m', `Merge branch '${name}'`])
}

/** Moves the project's branch and files to a commit. @throws PaddockError CONFLICT if git refuses; nothing was changed then */
function forward({ git }: Project, commit: string, project: string): void {
  const { status, stderr } = git.run(['-c', 'merge.autoStash=false', 'merge', '--ff-only', '--quiet', commit])
  if (status === 0) return
  const files = stderr.split('\n').flatMap((each) => (each.startsWith('\t') ? [each.trim()] : []))
  const said =
    stderr
      .trim()
      .split('\n')[0]
      ?.replace(/^(?:fatal|error): /, '') ?? ''
  throw new PaddockError(
    'CONFLICT',
    files.length === 0
      ? `Nothing was merged, because git refused: ${printable(said).slice(0, 300)}`
      : `Nothing was merged, because it would overwrite files of ${project} that are in no commit: ${few(files)}.`,
    { hint: 'Commit or stash your own changes, then merge again' },
  )
}

const few = (all: readonly string[]): string => printable(listed(all, mostShown))
