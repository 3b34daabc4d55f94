import { hash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { findAdapter } from '../../adapters/registry.ts'
import { PaddockError } from '../../errors.ts'
import { isHeld, takeLock } from '../../files/lock.ts'
import { own } from '../../files/owned.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { Paths } from '../../paths.ts'
import { shellWord } from '../../shell-word.ts'
import { runChecks } from '../checks/run-checks.ts'
import { refuseUntrusted } from '../config/asks.ts'
import { type Contest, readContest } from '../config/brief.ts'
import { refuseLinkedRecords } from '../config/links.ts'
import { judgesWithWork, kinOf } from '../config/sense.ts'
import { refuseUntouched } from '../config/untouched.ts'
import { mustAsk } from '../judging/counted.ts'
import { runJudging } from '../judging/run-judging.ts'
import { reportOf } from '../report/report-contest.ts'
import type { ContestResult } from '../report/result.ts'
import { deliveredSubmissions } from '../seal/delivered.ts'
import { contestLock } from '../state/contest-lock.ts'
import { type Scene, scratchOf, tell } from '../state/scene.ts'
import { type ContestStatus, openJournal, readStatus } from '../state/status.ts'
import type { ContestDeps } from './deps.ts'
import { credentialsInPlay } from './in-play.ts'
import type { Purse } from './purse.ts'
import { readyContest } from './ready.ts'
import { mustRun, runRound } from './round.ts'
import { whoRunsAgain } from './runs-again.ts'
import { warnOfSecrets } from './secrets-ahead.ts'
import { settleEarlier } from './settle.ts'
import { parallelByMachine, type Slots, slotsOf } from './slots.ts'

export interface ContestOptions {
  /** Starts a new round; the earlier ones stay on the disk. */
  readonly fresh?: boolean
  /** Runs those again that failed to run: participants and judges. */
  readonly retry?: boolean
  /** With `retry`: runs only this participant or judge again, whatever its outcome. */
  readonly only?: string
  /** Cells at the same time, over what contest.yaml says. */
  readonly parallel?: number
  /** Of a suite: where cells of all its contests wait, and what they may spend together. */
  readonly shared?: { readonly slots: Slots; readonly purse: Purse }
}

/**
 * `contest run`: from wherever the contest stands to its report. Throws BAD_INPUT, AGENT_NOT_INSTALLED, LOGIN_NEEDED
 * before anything runs; BUSY while another process works on it; CANCELLED after `deps.signal`, with everything
 * kept that was done.
 */
export async function runContest(directory: string, deps: ContestDeps, options: ContestOptions = {}): Promise<ContestResult> {
  return await onStage(directory, deps, options, 'paddock contest run', async (scene) => {
    const working = judgesWithWork(scene.contest.config, findAdapter)
    const wanted = (role: string, name: string): boolean =>
      role === 'judges' ? working.includes(name) : name === scene.only || mustRun(scene.journal.participant(name), scene.retry)
    const { participants, judges } = await readyContest(scene.contest, wanted, deps)
    await warnOfSecrets(scene, participants)
    await runRound(scene, participants)
    stopIfCancelled(scene)
    await runChecks(scene)
    stopIfCancelled(scene)
    const submissions = await deliveredSubmissions(scene)
    if (judges.length > 0 && submissions.length > 0) await runJudging(scene, judges, submissions, false)
    stopIfCancelled(scene)
    return await report(scene)
  })
}

/** `contest judge`: one step. Goes on with an unfinished judging; where all judges are done, has them judge anew under new labels. */
export async function judgeContest(
  directory: string,
  deps: ContestDeps,
  options: Omit<ContestOptions, 'fresh' | 'only'> = {},
): Promise<ContestStatus> {
  return await onStage(directory, deps, options, 'paddock contest judge', async (scene) => {
    const { contest, journal } = scene
    if (contest.config.judges.length === 0)
      throw new PaddockError('BAD_INPUT', 'contest.yaml, judges: there are none', { hint: 'add one under judges:' })
    const working = judgesWithWork(contest.config, findAdapter)
    const { judges } = await readyContest(contest, (role, name) => role === 'judges' && working.includes(name), deps)
    const submissions = await deliveredSubmissions(scene)
    if (submissions.length === 0) {
      throw new PaddockError('NOT_FOUND', `there is no sealed submission in ${contest.layout.root} yet`, {
        hint: `run it first: paddock contest run ${shellWord(directory)}`,
      })
    }
    const done = working.every((name) => !mustAsk(name, journal.status.tasks, scene.retry))
    await runJudging(scene, judges, submissions, done)
    stopIfCancelled(scene)
    return journal.status
  })
}

/** A contest as `contest status` shows it. */
export interface ContestStanding {
  readonly contest: Contest
  /** What status.json says; null: it was never run. */
  readonly status: ContestStatus | null
  /** False: no process works on it, so what is `running` in the status was interrupted. */
  readonly atWork: boolean
}

/** `contest status`: how each stands. Takes no lock and writes nothing. */
export async function contestStatus(directory: string, paths: Pick<Paths, 'state'>): Promise<ContestStanding> {
  const contest = await readContest(directory)
  await refuseLinkedRecords(contest.layout)
  const lock = await contestLock(contest.layout, paths)
  // Two looks: a contest that begins or ends meanwhile must not be taken for an interrupted one.
  const before = await isHeld(lock)
  const status = await readStatus(contest.layout)
  return { contest, status, atWork: before || (await isHeld(lock)) }
}

async function onStage<T>(
  directory: string,
  deps: ContestDeps,
  options: ContestOptions,
  command: string,
  act: (scene: Scene) => Promise<T>,
): Promise<T> {
  const contest = await readContest(directory)
  refuseUntouched(contest)
  await refuseUntrusted(contest, deps.isTrusted)
  const { layout, config } = contest
  const again = whoRunsAgain(config, options, directory)
  await refuseLinkedRecords(layout)
  using _lock = await takeLock({ file: await contestLock(layout, deps.paths), what: `The contest in ${layout.root}`, command })
  const fingerprint = hash('sha256', JSON.stringify(config) + contest.brief)
  await using journal = await openJournal(
    layout,
    {
      contest: config.name,
      fingerprint,
      participants: config.participants,
      judges: config.judges,
    },
    { now: deps.now, fresh: options.fresh ?? false },
  )
  const scratch = scratchOf(deps, layout.root)
  await removeTree(scratch)
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  await own(scratch)
  const cells = options.parallel ?? config.parallel ?? parallelByMachine(deps.machine)
  const { slots, purse } = options.shared ?? { slots: slotsOf({ cells }), purse: null }
  const inPlay = credentialsInPlay(config, deps)
  const scene: Scene = { contest, journal, deps, slots, purse, scratch, inPlay, ...again }
  try {
    await warn(scene, fingerprint)
    await settleEarlier(scene)
    return await act(scene)
  } finally {
    for (const each of inPlay) each.dispose()
    await removeTree(scratch).catch(() => {})
  }
}

async function warn(scene: Scene, fingerprint: string): Promise<void> {
  const { contest, journal, deps } = scene
  const { config } = contest
  if (journal.status.fingerprint !== fingerprint && config.participants.some((each) => !mustRun(journal.participant(each.name), false))) {
    await tell(scene, {
      type: 'warning',
      message:
        'contest.yaml or BRIEF.md changed since this round began; what was done before stays as it is, and --fresh starts a new round',
    })
  }
  if (config.judging.policy === 'warn') {
    for (const { judge, participant, family } of kinOf(config, findAdapter)) {
      await tell(scene, {
        type: 'warning',
        message: `judge ${judge} and participant ${participant} are both of the family ${family}`,
      })
    }
  }
  deps.audit({ kind: 'contest', data: { root: contest.layout.root, round: journal.status.round, fingerprint } })
}

async function report(scene: Scene): Promise<ContestResult> {
  const result = await reportOf(scene.contest, scene.journal.status, scene.deps.now())
  await tell(scene, { type: 'reported', ...result.files })
  return result
}

function stopIfCancelled({ deps, contest }: Scene): void {
  if (!deps.signal.aborted) return
  throw new PaddockError('CANCELLED', 'the contest was stopped; everything that was done is kept', {
    hint: `go on with: paddock contest run ${shellWord(contest.layout.root)}`,
  })
}
