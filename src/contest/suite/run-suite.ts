import { messageOf, PaddockError } from '../../base/errors.ts'
import { monotonicMs } from '../../base/monotonic.ts'
import { shellWord } from '../../base/shell-word.ts'
import { takeLock } from '../../files/lock.ts'
import { finishContest, runContest } from '../stages/run-contest.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock } from '../state/contest-lock.ts'
import { type OpenPurse, openPurse } from '../state/purse.ts'
import { parallelByMachine, type Slots, slotsOf } from '../state/slots.ts'
import { leftWords } from './budget-words.ts'
import { isLaidOut, layOut, refuseLink } from './config/lay-out-suite.ts'
import { readSuite, type Suite } from './config/read-suite.ts'
import { planFirst } from './plan-suite.ts'
import { type SuiteResult, writeSuiteReport } from './report/report-suite.ts'
import { type RunStanding, runName, runsOf, type SuiteRun, standingsOf } from './runs.ts'
import type { SuiteDeps, SuiteOptions } from './suite-deps.ts'
import { isOwnRun, refuseForeignRun, refuseUntrustedSuite, rememberRun, trustedAsSuite } from './trust-suite.ts'

/** The state that the contests of a suite share while it runs. */
interface Scene {
  readonly suite: Suite
  readonly deps: SuiteDeps
  readonly options: SuiteOptions
  readonly shared: { readonly slots: Slots; readonly purse: OpenPurse }
  /** The reason why a contest is not complete, by the name of the contest. */
  readonly whys: Map<string, string>
}

/**
 * `suite run`: continues a suite to its report. A contest that cannot be run does not stop the others.
 * @throws PaddockError BAD_INPUT, AGENT_NOT_INSTALLED, LOGIN_NEEDED before anything runs; BUSY while another process works on the suite;
 * CANCELLED after `deps.signal`, with all finished work kept.
 */
export async function runSuite(directory: string, deps: SuiteDeps, options: SuiteOptions = {}): Promise<SuiteResult> {
  const suite = await readSuite(directory)
  const { config, layout } = suite
  const runs = runsOf(suite, options.only)
  refuseLink(layout.root, layout.runs)
  await refuseUntrustedSuite(suite, deps.isTrusted)
  using _lock = await takeLock({
    file: await contestLock(layout, deps.paths),
    what: `The suite in ${layout.root}`,
    command: 'paddock suite run',
  })
  await planFirst(suite, runs, deps)
  for (const { path, problem } of suite.briefs)
    if (problem !== null) deps.progress({ type: 'warning', message: `${path} is skipped: ${problem}` })
  const purse = openPurse(config.budget ?? {}, monotonicMs)
  const standings = await standingsOf(runsOf(suite))
  if (options.fresh !== true) for (const each of standings) noteSpent(each, purse)
  const cells = options.parallel ?? config.parallel ?? parallelByMachine(deps.machine)
  const slots = slotsOf({
    cells,
    ...(config.vendorCells === undefined ? {} : { cellsPerFamily: config.vendorCells }),
    ...(config.stagger === undefined ? {} : { staggerMs: config.stagger }),
  })
  const scene: Scene = { suite, deps, options, shared: { slots, purse }, whys: new Map() }
  const open = runs.filter((run) => mustRunContest(standings, run, options))
  deps.progress({ type: 'suite', contests: runs.length, open: open.length })
  for (const run of runs) if (!open.includes(run)) await finishOne(scene, run)
  await runAll(scene, open, cells)
  if (deps.signal.aborted)
    throw new PaddockError('CANCELLED', 'The suite was stopped. Finished work is kept.', {
      hint: `To continue, run: paddock suite run ${shellWord(directory)}`,
    })
  return await writeSuiteReport(suite, { whys: scene.whys, reached: purse.reached }, deps.now())
}

/** Returns true if a contest is not complete, or if part of it is to be run again. */
function mustRunContest(standings: readonly RunStanding[], run: SuiteRun, { fresh, retry }: SuiteOptions): boolean {
  return fresh === true || retry === true || standings.find((each) => each.run.directory === run.directory)?.state !== 'complete'
}

/** Runs the contests in order, as many at the same time as cells may run. */
async function runAll(scene: Scene, open: readonly SuiteRun[], atOnce: number): Promise<void> {
  const { purse } = scene.shared
  const waiting = [...open]
  let done = 0
  const work = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined && !scene.deps.signal.aborted; run = waiting.shift()) {
      if (purse.reached === null) await runOne(scene, run, () => ({ done: ++done, of: open.length }))
      else scene.whys.set(runName(run), `the budget has ${leftWords(purse.reached)}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, open.length) }, work))
  if (purse.reached !== null) scene.deps.progress({ type: 'budget', cap: purse.reached })
}

async function runOne(scene: Scene, run: SuiteRun, count: () => { done: number; of: number }): Promise<void> {
  const { deps, options, shared, whys } = scene
  const name = runName(run)
  try {
    await prepare(scene, run)
    deps.progress({ type: 'run-started', run: name })
    const { summary } = await runContest(run.directory, depsOf(scene, run), {
      fresh: options.fresh ?? false,
      retry: options.retry ?? false,
      shared,
    })
    deps.progress({ type: 'run-ended', run: name, verdict: summary.verdict?.sentence ?? null, ...count() })
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code === 'CANCELLED') {
      if (deps.signal.aborted) return
      throw error
    }
    count()
    whys.set(name, messageOf(error))
    deps.progress({ type: 'run-failed', run: name, message: messageOf(error) })
  }
}

/** Completes a contest that was killed between its last score and its report. */
async function finishOne(scene: Scene, run: SuiteRun): Promise<void> {
  if (scene.deps.signal.aborted) return
  try {
    refuseLink(scene.suite.layout.root, run.directory)
    await finishContest(run.directory, depsOf(scene, run), 'paddock suite run')
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    scene.deps.progress({ type: 'warning', message: `${runName(run)} has no current report: ${messageOf(error)}` })
  }
}

/** Returns the dependencies of one contest. */
function depsOf({ suite, deps }: Scene, run: SuiteRun): ContestDeps {
  const name = runName(run)
  return { ...deps, isTrusted: trustedAsSuite(suite), progress: (event) => deps.progress({ type: 'contest', run: name, event }) }
}

/** Writes the files of a contest if they are missing or are to be rewritten. A contest that has started keeps its files. */
async function prepare({ suite, deps, options }: Scene, run: SuiteRun): Promise<void> {
  refuseLink(suite.layout.root, run.directory)
  const state = await isLaidOut(run.directory, run.brief)
  const isOwn = await isOwnRun(suite, run, deps.paths)
  const [standing] = await standingsOf([run])
  const isKept = state === 'same' ? isOwn : state === 'other' && standing?.state !== 'not-run'
  if (!isKept || options.fresh === true) {
    await layOut(suite, run.brief, run.directory)
    return await rememberRun(suite, run, deps.paths)
  }
  if (state === 'same') return
  if (!isOwn) refuseForeignRun(suite, run)
  deps.progress({
    type: 'warning',
    message: `${runName(run)} keeps its original configuration: suite.yaml or its brief has changed since, and --fresh runs it again`,
  })
}

/** Counts the earlier spending of a contest. */
function noteSpent({ status }: RunStanding, purse: OpenPurse): void {
  for (const [name, each] of Object.entries(status?.participants ?? {})) note(purse, 'participant', name, each)
  for (const each of status?.tasks ?? []) note(purse, 'judge', each.judge, each)
}

function note(
  purse: OpenPurse,
  role: 'participant' | 'judge',
  name: string,
  at: {
    readonly attempt: number
    readonly costUsd: number | null
    readonly earlierCostUsd?: number | undefined
    readonly usage: { readonly input: number; readonly output: number } | null
    readonly durationMs: number | null
  },
): void {
  if (at.attempt === 0) return
  purse.note(role, name, at)
  if ((at.earlierCostUsd ?? 0) > 0) purse.note(role, name, { costUsd: at.earlierCostUsd ?? 0, usage: null, durationMs: null })
}
