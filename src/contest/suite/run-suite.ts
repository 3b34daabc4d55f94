import { messageOf, PaddockError } from '../../base/errors.ts'
import { finishContest, runContest } from '../stages/run-contest.ts'
import { isLaidOut, layOut, refuseLink } from './config/lay-out-suite.ts'
import { planFirst } from './plan-suite.ts'
import type { SuiteResult } from './report/report-suite.ts'
import { type RunStanding, runName, type SuiteRun, standingsOf } from './runs.ts'
import { forgetSteps } from './suite-again.ts'
import type { SuiteDeps, SuiteOptions } from './suite-deps.ts'
import { depsOf, onEach, onSuite, reportOn, type Shared, type SuiteScene, stopIfAborted } from './suite-stage.ts'
import { isOwnRun, refuseForeignRun, rememberRun } from './trust-suite.ts'

const command = 'paddock suite run'

/**
 * `suite run`: continues a suite to its report. A contest that cannot be run does not stop the others.
 * @throws PaddockError BAD_INPUT, AGENT_NOT_INSTALLED, LOGIN_NEEDED before anything runs; BUSY while another process works on the suite;
 * CANCELLED after `deps.signal`, with all finished work kept.
 */
export async function runSuite(directory: string, deps: SuiteDeps, options: SuiteOptions = {}): Promise<SuiteResult> {
  return await onSuite(directory, deps, options, command, async (scene) => {
    const { suite, runs, standings } = scene
    await planFirst(suite, runs, deps)
    if (options.fresh === true) await forgetSteps(suite)
    for (const { path, problem } of suite.briefs)
      if (problem !== null) deps.progress({ type: 'warning', message: `${path} is skipped: ${problem}` })
    const open = runs.filter((run) => mustRunContest(standings, run, options))
    deps.progress({ type: 'suite', contests: runs.length, open: open.length })
    for (const run of runs) if (!open.includes(run)) await finishOne(scene, run)
    await onEach(scene, open, runName, (run, shared) => runOne(scene, run, shared))
    stopIfAborted(scene, command)
    return await reportOn(scene)
  })
}

/** Returns true if a contest is not complete, or if part of it is to be run again. */
function mustRunContest(standings: readonly RunStanding[], run: SuiteRun, { fresh, retry }: SuiteOptions): boolean {
  return fresh === true || retry === true || standings.find((each) => each.run.directory === run.directory)?.state !== 'complete'
}

async function runOne(scene: SuiteScene, run: SuiteRun, shared: Shared): Promise<string | null> {
  const { deps, options } = scene
  await prepare(scene, run)
  deps.progress({ type: 'run-started', run: runName(run) })
  const { summary } = await runContest(run.directory, depsOf(scene, runName(run)), {
    fresh: options.fresh ?? false,
    retry: options.retry ?? false,
    shared,
  })
  return summary.verdict?.sentence ?? null
}

/** Completes a contest that was killed between its last score and its report. */
async function finishOne(scene: SuiteScene, run: SuiteRun): Promise<void> {
  if (scene.deps.signal.aborted) return
  try {
    refuseLink(scene.suite.layout.root, run.directory)
    await finishContest(run.directory, depsOf(scene, runName(run)), command)
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    scene.deps.progress({ type: 'warning', message: `${runName(run)} has no current report: ${messageOf(error)}` })
  }
}

/** Writes the files of a contest if they are missing or are to be rewritten. A contest that has started keeps its files. */
async function prepare({ suite, deps, options }: SuiteScene, run: SuiteRun): Promise<void> {
  refuseLink(suite.layout.root, run.directory)
  const state = await isLaidOut(suite, run.brief, run.directory)
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
