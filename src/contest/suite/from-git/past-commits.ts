import { PaddockError } from '../../../base/errors.ts'
import type { RepositoryCopy } from '../../../copy/taking/repository-copy.ts'
import { roleOf } from './restored-files.ts'

/** A commit that may become a brief. */
export interface PastCommit {
  readonly commit: string
  readonly subject: string
  /** The message, without trailers such as Signed-off-by. */
  readonly message: string
}
/** A commit that changes tests and source. */
export interface Candidate extends PastCommit {
  readonly parent: string
  /** The paths of the tests that it changes. */
  readonly tests: readonly string[]
}
/** A commit that cannot become a brief, with the reason. */
export interface LeftOut extends PastCommit {
  readonly reason: string
}

const mostCommits = 10_000
/** A date in ISO 8601, optionally with a time in UTC. Git completes a date with the present time of day, so it does not read it. */
const date = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/

/**
 * Returns the commits of HEAD, the newest first: at most `most` candidates, and all others with the reason why they are left out.
 * @throws PaddockError BAD_INPUT for a repository without commits, or if `since` is neither a date nor a commit
 */
export async function pastCommits(
  repository: RepositoryCopy,
  { since, most }: { readonly since: string | null; readonly most: number },
): Promise<{ readonly candidates: readonly Candidate[]; readonly leftOut: readonly LeftOut[] }> {
  const head = await commitNamed('HEAD', repository)
  if (head === null) throw new PaddockError('BAD_INPUT', 'The repository has no commits.')
  const from = since !== null && date.test(since) ? Date.parse(since) : Number.NaN
  const range =
    since === null
      ? [head]
      : Number.isNaN(from)
        ? [head, `^${await baseNamed(since, repository)}`]
        : [`--since=${new Date(from).toISOString().replace(/\.\d+/, '')}`, head]
  const listed = await repository.git(['log', '-z', `-n${mostCommits + 1}`, '--format=%ct %H %P%n%B', ...range, '--'])
  const candidates: Candidate[] = []
  const leftOut: LeftOut[] = []
  const records = listed.toString('utf8').split('\0')
  if (records.length > mostCommits + 1)
    throw new PaddockError('BAD_INPUT', `There are more than ${mostCommits} commits.`, { hint: 'Look at fewer: --since 2026-01-31' })
  for (const record of records) {
    const [, ids, text = ''] = /^([0-9a-f ]+)\n([\s\S]*)$/.exec(record) ?? []
    const [time, commit, ...parents] = ids?.trim().split(' ') ?? []
    if (commit === undefined || Number(time) * 1000 < from) continue
    const message = withoutTrailers(text)
    const about = { commit, subject: message.split('\n')[0] ?? '', message }
    const [parent] = parents
    const leave = (reason: string): void => void leftOut.push({ ...about, reason })
    if (parent === undefined) leave('it is the first commit')
    else if (parents.length > 1) leave('it is a merge')
    else if (candidates.length >= most) leave(`--most ${most} is reached`)
    else {
      const changed = await changedBy(commit, parent, repository)
      const tests = changed.filter((each) => roleOf(each) === 'test')
      if (tests.length === 0) leave('it changes no tests')
      else if (!changed.some((each) => roleOf(each) === 'source')) leave('it changes only tests, configuration and documents')
      else candidates.push({ ...about, parent, tests })
    }
  }
  return { candidates, leftOut }
}

async function baseNamed(since: string, repository: RepositoryCopy): Promise<string> {
  const base = await commitNamed(since, repository)
  if (base !== null) return base
  throw new PaddockError('BAD_INPUT', `--since ${since} is neither a date nor a commit of the repository.`, {
    hint: 'Write a date as in 2026-01-31, or name a branch, a tag or a commit',
  })
}

/** Returns the id of a commit; null if the name is not one. */
async function commitNamed(name: string, repository: RepositoryCopy): Promise<string | null> {
  if (name.startsWith('-')) return null
  const found = (await repository.git(['rev-parse', '--verify', '-q', `${name}^{commit}`], { ok: [1, 128] })).toString().trim()
  return /^[0-9a-f]{40,64}$/.test(found) ? found : null
}

async function changedBy(commit: string, parent: string, repository: RepositoryCopy): Promise<string[]> {
  const listed = await repository.git(['diff-tree', '-r', '-z', '--no-renames', '--name-only', parent, commit])
  return listed
    .toString('utf8')
    .split('\0')
    .filter((each) => each !== '')
}

/**
 * Returns a message without control characters, and without the lines at its end that name people and changes, which say nothing about the
 * task.
 */
function withoutTrailers(text: string): string {
  const paragraphs = text
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .split(/\n{2,}/)
  const trailer = /^[A-Z][A-Za-z-]+-[A-Za-z-]*[Bb]y: |^(?:Change-Id|Co-authored-by|PR-URL|Reviewed-By|Signed-off-by|Cc|Refs|Fixes|Closes): /
  if (
    paragraphs.length > 1 &&
    paragraphs
      .at(-1)
      ?.split('\n')
      .every((line) => trailer.test(line)) === true
  )
    paragraphs.pop()
  return paragraphs.join('\n\n')
}
