import { rm } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { storedOrNull } from '../../files/stored-json.ts'
import { Layout } from '../config/contest-layout.ts'
import { type RefineOptions, refineContest } from '../iterate/refine.ts'
import type { ContestResult } from '../report/result.ts'
import { rejudgeContest, runContest } from '../stages/run-contest.ts'
import { type ContestStatus, readStatus } from '../state/contest-state.ts'
import { refuseLink } from './config/lay-out-suite.ts'
import { readSuite, type Suite } from './config/read-suite.ts'
import { type ForOne, suiteNeverRun } from './each-contest.ts'
import type { SuiteResult } from './report/report-suite.ts'
import { runName, type SuiteRun } from './runs.ts'
import type { SuiteDeps, SuiteOptions } from './suite-deps.ts'
import { depsOf, onEach, onSuite, reportOn, type Shared, type SuiteScene, stopIfAborted } from './suite-stage.ts'
import { isOwnRun, refuseForeignRun } from './trust-suite.ts'

/** The result of a command that runs a part of each contest again. */
export interface SuiteAgain extends SuiteResult {
  readonly contests: readonly Omit<ForOne<never>, 'result'>[]
}

type AgainOptions = Pick<SuiteOptions, 'only' | 'parallel'> & { readonly waitForLimits?: number }

/** `suite rejudge`: does what `contest rejudge` does for each contest of a suite, and writes the report. */
export async function rejudgeSuite(directory: string, deps: SuiteDeps, options: AgainOptions = {}): Promise<SuiteAgain> {
  const { config, layout } = await readSuite(directory)
  if (config.contest.judges.length === 0)
    throw new PaddockError('BAD_INPUT', `${layout.config}, contest.judges: The list is empty.`, { hint: 'Add one under judges:' })
  return await again(directory, deps, options, 'rejudge', ({ judging }) => judging, rejudgeContest)
}

/** `suite refine`: does what `contest refine` does for each contest of a suite, and writes the report. */
export async function refineSuite(
  directory: string,
  deps: SuiteDeps,
  options: AgainOptions & { readonly participants?: readonly string[]; readonly feedback?: string } = {},
): Promise<SuiteAgain> {
  const { participants, feedback } = options
  const own: RefineOptions = {
    ...(participants === undefined ? {} : { only: participants }),
    ...(feedback === undefined ? {} : { feedback }),
  }
  return await again(
    directory,
    deps,
    options,
    'refine',
    ({ round }) => round,
    (run, contestDeps, rest) => refineContest(run, contestDeps, { ...own, ...rest }),
  )
}

type Step = 'rejudge' | 'refine'
type Act = (
  directory: string,
  deps: ReturnType<typeof depsOf>,
  options: Pick<RefineOptions, 'shared' | 'waitForLimits'>,
) => Promise<ContestResult>

/**
 * Runs a step for each contest that was run. If the command was killed, the same command continues: a contest whose round or judging is newer
 * than at the start has begun, and is only continued.
 */
async function again(
  directory: string,
  deps: SuiteDeps,
  options: AgainOptions,
  step: Step,
  numberOf: (status: ContestStatus) => number,
  act: Act,
): Promise<SuiteAgain> {
  const command = `paddock suite ${step}`
  return await onSuite(directory, deps, options, command, async (scene) => {
    const { suite, standings, runs, shared, whys } = scene
    const wanted = standings.filter(({ run }) => runs.some((each) => each.directory === run.directory))
    const known = wanted.flatMap(({ run, status }) => (status === null ? [] : [{ run, status }]))
    if (known.length === 0) throw suiteNeverRun(suite)
    const file = recordOf(suite, step)
    refuseLink(suite.layout.root, file)
    const before = (await readBefore(file)) ?? {}
    // Contests of an interrupted command keep the number that they had at its start.
    for (const { run, status } of known) before[runName(run)] ??= numberOf(status)
    await writeJson(file, { schemaVersion: 1, before })
    const open = known.map(({ run }) => run)
    deps.progress({ type: 'suite', contests: runs.length, open: open.length })
    await onEach(scene, open, runName, async (run, own) =>
      one(scene, run, { before: before[runName(run)] ?? 0, numberOf, act, options, shared: own }),
    )
    stopIfAborted(scene, command)
    const result = await reportOn(scene)
    // With a higher budget, the same command continues, and also if it is killed before its report is written.
    if (shared.purse.reached === null) await rm(file, { force: true })
    const contests = wanted.map(({ run, status }) => {
      const why = status === null ? 'it was never run' : (whys.get(runName(run)) ?? null)
      const state = status === null ? ('skipped' as const) : why === null ? ('done' as const) : ('failed' as const)
      return { run: runName(run), directory: run.directory, state, why }
    })
    return { ...result, exitCode: contests.some(({ state }) => state === 'failed') ? 1 : result.exitCode, contests }
  })
}

async function one(
  scene: SuiteScene,
  run: SuiteRun,
  {
    before,
    numberOf,
    act,
    options,
    shared,
  }: {
    readonly before: number
    readonly numberOf: (status: ContestStatus) => number
    readonly act: Act
    readonly options: AgainOptions
    readonly shared: Shared
  },
): Promise<string | null> {
  const { suite, deps } = scene
  refuseLink(suite.layout.root, run.directory)
  if (!(await isOwnRun(suite, run, deps.paths))) refuseForeignRun(suite, run)
  const status = await readStatus(new Layout(run.directory))
  const own = { shared, ...(options.waitForLimits === undefined ? {} : { waitForLimits: options.waitForLimits }) }
  const hasBegun = status !== null && numberOf(status) > before
  deps.progress({ type: 'run-started', run: runName(run) })
  const { summary } = hasBegun
    ? await runContest(run.directory, depsOf(scene, runName(run)), own)
    : await act(run.directory, depsOf(scene, runName(run)), own)
  return summary.verdict?.sentence ?? null
}

/** Forgets interrupted commands, because the rounds of all contests start again. */
export async function forgetSteps(suite: Suite): Promise<void> {
  for (const each of ['rejudge', 'refine'] as const) await rm(recordOf(suite, each), { force: true })
}

const recordOf = ({ layout }: Suite, step: Step): string => path.join(layout.runs, `${step}.json`)

const recordSchema = z.object({ schemaVersion: z.literal(1), before: z.record(z.string(), z.int()) })

/** Returns the numbers of an interrupted command; null: there is none. */
async function readBefore(file: string): Promise<Record<string, number> | null> {
  const read = await readRegular(file, 1024 * 1024)
  return storedOrNull(file, read.ok ? read.bytes : null, recordSchema)?.before ?? null
}
