import { PaddockError } from '../../base/errors.ts'
import type { GitHere } from './git-here.ts'
import { type RawCommit, readCommit, readIdentity } from './raw-commit.ts'
import type { RunMark } from './run-marks.ts'

/** The commits to sign: those since a commit, or those that runs made. */
export type SignWish = { readonly since: string } | { readonly runs: readonly RunMark[] }

export interface Signed {
  /** The short name of the branch; null: HEAD is detached. */
  readonly branch: string | null
  readonly before: string
  readonly after: string
  /** The commits that were made anew, oldest first. Some are already signed, but have a parent that was not. */
  readonly commits: readonly { readonly from: string; readonly to: string; readonly subject: string; readonly wasSigned: boolean }[]
  /** Other refs that still contain the commits as they were. */
  readonly stale: readonly string[]
}

/**
 * Signs commits of the current branch with the user's own git: makes each of them, and their descendants, anew with the same tree,
 * message, dates and parents, and then moves the branch. The work tree and the index stay as they are.
 * @throws PaddockError NOT_ALLOWED if one is on a remote branch, CONFLICT if the branch moves meanwhile, FILES_FAILED if git cannot sign
 */
export function signCommits(git: GitHere, wish: SignWish): Signed {
  const before = git.ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  const symbolic = git.run(['symbolic-ref', '--quiet', 'HEAD'])
  const ref = symbolic.status === 0 ? symbolic.stdout.toString().trim() : null
  const bases =
    'since' in wish ? [git.ask(['rev-parse', '--verify', '--end-of-options', `${wish.since}^{commit}`])] : (wish.runs[0]?.heads ?? [])
  const range = revisions(git, [before, ...('runs' in wish && wish.runs.length === 0 ? [`^${before}`] : bases.map((each) => `^${each}`))])
  const raw = commitsOf(git, range)
  const isWanted = 'since' in wish ? () => true : madeBy(wish.runs)
  const anew = new Map<string, string | null>()
  for (const id of range) {
    const commit = raw.get(id)
    if (commit !== undefined && ((!commit.isSigned && isWanted(commit)) || commit.parents.some((each) => anew.has(each))))
      anew.set(id, null)
  }
  refusePublished(git, before, anew)
  const commits = [...anew.keys()].map((from) => {
    const commit = raw.get(from)
    if (commit === undefined) throw new PaddockError('FILES_FAILED', `${from} is not a commit.`)
    const to = signed(git, from, { ...commit, parents: commit.parents.map((each) => anew.get(each) ?? each) })
    anew.set(from, to)
    return { from, to, subject: commit.message.toString().split('\n')[0] ?? '', wasSigned: commit.isSigned }
  })
  const after = anew.get(before) ?? before
  if (after !== before) {
    const moved = git.run([
      'update-ref',
      '--create-reflog',
      '-m',
      'paddock sign',
      ...(ref === null ? ['--no-deref'] : []),
      'HEAD',
      after,
      before,
    ])
    if (moved.status !== 0) throw new PaddockError('CONFLICT', `The branch could not be moved: ${moved.stderr}`, { hint: 'Run it again' })
  }
  const first = commits[0]
  const stale =
    first === undefined ? [] : git.ask(['for-each-ref', '--format=%(refname:short)', '--contains', first.from]).split('\n').filter(Boolean)
  return { branch: ref?.replace(/^refs\/heads\//, '') ?? null, before, after, commits, stale }
}

/** Returns the commits of a range, parents first. Commits that no longer exist are ignored. */
function revisions(git: GitHere, range: readonly string[]): readonly string[] {
  const listed = git.ask(['rev-list', '--ignore-missing', '--topo-order', '--reverse', '--stdin'], { input: `${range.join('\n')}\n` })
  return listed.split('\n').filter(Boolean)
}

function commitsOf(git: GitHere, ids: readonly string[]): ReadonlyMap<string, RawCommit> {
  const found = new Map<string, RawCommit>()
  if (ids.length === 0) return found
  const { stdout } = git.run(['cat-file', '--batch'], { input: `${ids.join('\n')}\n` })
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at)
    const [id = '', kind, size] = stdout.toString('latin1', at, end).split(' ')
    const length = Number(size)
    if (end < 0 || !Number.isInteger(length)) throw new PaddockError('FILES_FAILED', `git could not read the commit ${id}.`)
    const commit = kind === 'commit' ? readCommit(stdout.subarray(end + 1, end + 1 + length)) : null
    if (commit !== null) found.set(id, commit)
    at = end + 1 + length + 1
  }
  return found
}

/** Returns a check whether a commit was made during one of the runs. Git stores whole seconds. */
function madeBy(runs: readonly RunMark[]): (commit: RawCommit) => boolean {
  return ({ committer }) => {
    const time = readIdentity(committer)?.time
    return time !== undefined && runs.some((each) => time >= Math.floor(each.startedAt / 1000) && time <= Math.ceil(each.endedAt / 1000))
  }
}

function refusePublished(git: GitHere, head: string, anew: ReadonlyMap<string, unknown>): void {
  if (anew.size === 0) return
  const own = new Set(git.ask(['rev-list', head, '--not', '--remotes']).split('\n'))
  const published = [...anew.keys()].find((each) => !own.has(each))
  if (published !== undefined)
    throw new PaddockError('NOT_ALLOWED', `${published.slice(0, 10)} is on a remote branch already, so it cannot be made anew.`, {
      hint: 'To sign only later commits, run: paddock sign --since COMMIT',
    })
}

function signed(git: GitHere, from: string, commit: RawCommit): string {
  const short = from.slice(0, 10)
  const [author, committer] = [readIdentity(commit.author), readIdentity(commit.committer)]
  if (author === null || committer === null || commit.others.length > 0)
    throw new PaddockError(
      'FILES_FAILED',
      `${short} has a form that git commit-tree cannot make: ${commit.others.join(', ') || 'its author'}.`,
    )
  const variables = (role: string, { name, email, time, zone }: typeof author): Record<string, string> => ({
    [`GIT_${role}_NAME`]: name,
    [`GIT_${role}_EMAIL`]: email,
    [`GIT_${role}_DATE`]: `@${time} ${zone}`,
  })
  const to = git.ask(
    [
      ...['-c', `i18n.commitEncoding=${commit.encoding ?? 'UTF-8'}`],
      ...['commit-tree', '-S', ...commit.parents.flatMap((each) => ['-p', each]), commit.tree],
    ],
    { input: commit.message, env: { ...variables('AUTHOR', author), ...variables('COMMITTER', committer) } },
  )
  const made = commitsOf(git, [to]).get(to)
  const same =
    made?.isSigned === true &&
    made.message.equals(commit.message) &&
    made.author.equals(commit.author) &&
    made.committer.equals(commit.committer)
  if (!same) throw new PaddockError('FILES_FAILED', `${short} could not be signed without changing its author, committer or message.`)
  return to
}
