import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { lazily } from '../../../base/lazily.ts'
import { RepositoryCopy } from '../../../copy/taking/repository-copy.ts'
import { own } from '../../../files/directory-owner.ts'
import { takeLock } from '../../../files/lock.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { refuseWithoutRepository } from '../../../git/project.ts'
import { refuseUnmakeable } from '../../config/new-contest.ts'
import { pool } from '../../run/pool.ts'
import type { ContestDeps } from '../../state/contest-deps.ts'
import { contestLock } from '../../state/contest-lock.ts'
import { noteContest } from '../../state/known-contests.ts'
import { scratchOf } from '../../state/scene.ts'
import { parallelByMachine, slotsOf } from '../../state/slots.ts'
import { nameOf } from '../config/find-briefs.ts'
import { writeSuiteTemplate } from '../config/new-suite.ts'
import { SuiteLayout } from '../config/suite-layout.ts'
import { pytestIn } from './find-pytest.ts'
import { GitProgress } from './git-progress.ts'
import { makeBrief } from './make-brief.ts'
import { type Candidate, type PastCommit, pastCommits } from './past-commits.ts'
import type { OwnCommand } from './test-runners.ts'

/** The result for one commit. */
export interface CommitResult extends Pick<PastCommit, 'commit' | 'subject'> {
  /** The name of the brief; null: the commit was left out. */
  readonly brief: string | null
  /** Why it was left out; null: it was not. */
  readonly reason: string | null
  /** The numbers of required tests; null: it was left out, or its brief existed already. */
  readonly tests: { readonly fixed: number; readonly kept: number } | null
}

export interface FromGitResult {
  readonly schemaVersion: 1
  readonly suite: string
  readonly commits: readonly CommitResult[]
  /** What the briefs do not guarantee. */
  readonly notes: readonly string[]
}

export interface FromGitOptions {
  /** A date or a commit; null: all commits of HEAD. */
  readonly since: string | null
  /** The number of commits whose tests are run. */
  readonly most: number
  readonly own: OwnCommand | null
  /** The number of test runs before, and after, each commit. */
  readonly repeats: number
  readonly history: boolean
  readonly parallel: number | null
  readonly done: (result: CommitResult) => void
}

type FromGitDeps = Pick<ContestDeps, 'startCell' | 'signal' | 'now' | 'machine' | 'paths' | 'env'>

const weaker = [
  'these checks are weaker than others: tests run in one process with the code of a submission, which can forge their results',
  'if the repository is public, models may know the fixes',
]
const making = /^\.[0-9a-f]{12}\.from-git$/

/**
 * `suite from-git`: makes briefs from commits that fix something and change tests. Whatever is of the repository runs only in cells, and git
 * uses a copy of its objects with a configuration of Paddock's own. An existing brief is not changed. After a kill, the same command
 * continues.
 * @throws PaddockError BAD_INPUT, BUSY, CANCELLED after `deps.signal`
 */
export async function briefsFromGit(project: string, to: string, options: FromGitOptions, deps: FromGitDeps): Promise<FromGitResult> {
  refuseWithoutRepository(project, 'suite from-git')
  const layout = new SuiteLayout(to)
  refuseUnmakeable(layout.root)
  const briefs = path.join(layout.root, 'briefs')
  await mkdir(briefs, { recursive: true })
  using _lock = await takeLock({
    file: await contestLock(layout, deps.paths),
    what: `The suite in ${layout.root}`,
    command: 'paddock suite from-git',
  })
  const scratch = scratchOf(deps, layout.root)
  await removeTree(scratch)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  try {
    await own(scratch)
    for (const each of await readdir(briefs)) if (making.test(each)) await removeTree(path.join(briefs, each))
    const repository = await RepositoryCopy.make(project, path.join(scratch, 'repository'), {
      searchPath: deps.env['PATH'] ?? '',
      signal: deps.signal,
    })
    if (options.history && repository.isShallow)
      throw new PaddockError('BAD_INPUT', '--history needs the whole history, and this repository is shallow.', {
        hint: 'Run: git fetch --unshallow',
      })
    const { candidates, leftOut } = await pastCommits(repository, options)
    const results = new Map<string, CommitResult>()
    const end = (result: CommitResult): void => {
      results.set(result.commit, result)
      options.done(result)
    }
    noteContest(deps.paths.state, { root: await realpath(layout.root), from: await realpath(project) })
    await makeAll(candidates, { repository, briefs, scratch, layout, options, deps, end })
    if (deps.signal.aborted)
      throw new PaddockError('CANCELLED', 'It was stopped; briefs that were done are kept.', { hint: 'Run it again to continue' })
    const left = leftOut.map(({ commit, subject, reason }) => ({ commit, subject, brief: null, reason, tests: null }))
    const commits = [...candidates.flatMap(({ commit }) => results.get(commit) ?? []), ...left]
    const isSome = commits.some(({ brief }) => brief !== null)
    if (isSome) await writeSuiteTemplate(layout)
    await rm(progressFile(layout), { force: true })
    return { schemaVersion: 1, suite: layout.root, commits, notes: isSome ? weaker : [] }
  } finally {
    await removeTree(scratch).catch(() => {})
  }
}

interface Making {
  readonly repository: RepositoryCopy
  readonly briefs: string
  readonly scratch: string
  readonly layout: SuiteLayout
  readonly options: FromGitOptions
  readonly deps: FromGitDeps
  readonly end: (result: CommitResult) => void
}

async function makeAll(candidates: readonly Candidate[], about: Making): Promise<void> {
  const { repository, briefs, scratch, layout, options, deps, end } = about
  const hasPytest = lazily(() => pytestIn(repository.project, deps))
  const key = hash('sha256', JSON.stringify([repository.project, options.own, options.repeats]))
  const progress = await GitProgress.open(progressFile(layout), key)
  const slots = slotsOf({ cells: options.parallel ?? parallelByMachine(deps.machine) })
  await pool(candidates, slots, deps.signal, async (candidate) => {
    const { commit, subject } = candidate
    const name = briefName(candidate)
    const known = progress.reasonOf(commit)
    if (lstatSync(path.join(briefs, name), { throwIfNoEntry: false }) !== undefined)
      return end({ commit, subject, brief: name, reason: null, tests: null })
    if (known !== null) return end({ commit, subject, brief: null, reason: known, tests: null })
    const at = path.join(briefs, `.${commit.slice(0, 12)}.from-git`)
    const own = path.join(scratch, commit.slice(0, 12))
    try {
      await mkdir(at)
      const made = await makeBrief(candidate, at, { ...options, repository, hasPytest, deps, scratch: own }).catch(reasonOf)
      if ('reason' in made) {
        await progress.leaveOut(commit, made.reason)
        return end({ commit, subject, brief: null, reason: made.reason, tests: null })
      }
      await rename(at, path.join(briefs, name))
      end({ commit, subject, brief: name, reason: null, tests: { fixed: made.fixed.length, kept: made.kept.length } })
    } finally {
      await removeTree(at)
      await removeTree(own)
    }
  })
}

/** Returns why a commit cannot be read. Other errors end the command. */
function reasonOf(error: unknown): { readonly reason: string } {
  if (error instanceof PaddockError && ['FILES_FAILED', 'BAD_INPUT'].includes(error.code)) return { reason: error.message }
  throw error
}

function briefName({ commit, subject }: Candidate): string {
  const words = nameOf(subject.replace(/^\w+(?:\([^)]*\))?!?: /, '')).slice(0, 40)
  return `${words.replace(/-+$/, '') || 'commit'}-${commit.slice(0, 8)}`
}

function progressFile({ root }: SuiteLayout): string {
  return path.join(root, '.from-git.json')
}
