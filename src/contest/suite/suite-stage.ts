import { realpath } from 'node:fs/promises'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { monotonicMs } from '../../base/monotonic.ts'
import { shellWord } from '../../base/shell-word.ts'
import { takeLock } from '../../files/lock.ts'
import { inSpan } from '../../telemetry/work-span.ts'
import type { ContestOptions } from '../run/stage.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock } from '../state/contest-lock.ts'
import { noteContest } from '../state/known-contests.ts'
import { type OpenPurse, openPurse, type Purse } from '../state/purse.ts'
import { parallelByMachine, type Slots, slotsOf } from '../state/slots.ts'
import { leftWords } from './budget-words.ts'
import { refuseLink } from './config/lay-out-suite.ts'
import { readSuite, type Suite } from './config/read-suite.ts'
import { type SuiteResult, writeSuiteReport } from './report/report-suite.ts'
import { type RunStanding, runsOf, type SuiteRun, standingsOf } from './runs.ts'
import type { SuiteDeps, SuiteOptions } from './suite-deps.ts'
import { refuseLevels } from './suite-levels.ts'
import { refuseUntrustedSuite, trustedAsSuite } from './trust-suite.ts'

/** The resources that contests share while a command works on them. */
export type Shared = NonNullable<ContestOptions['shared']>

/** The state that the contests of a suite share while a command works on them. */
export interface SuiteScene {
  readonly suite: Suite
  readonly deps: SuiteDeps
  readonly options: SuiteOptions
  /** The contests of all briefs, or of those in `options.only`. */
  readonly runs: readonly SuiteRun[]
  /** The state of all contests at the start. */
  readonly standings: readonly RunStanding[]
  readonly shared: { readonly slots: Slots; readonly purse: OpenPurse }
  /** The reason why a contest is not complete, by the name of the contest. */
  readonly whys: Map<string, string>
}

/**
 * Reads a suite, takes its lock, and runs `act` on it.
 * @throws PaddockError BAD_INPUT, NOT_ALLOWED, BUSY while another process works on the suite, and what `act` throws
 */
export async function onSuite<T>(
  directory: string,
  deps: SuiteDeps,
  options: SuiteOptions,
  command: string,
  act: (scene: SuiteScene) => Promise<T>,
): Promise<T> {
  const suite = await readSuite(directory)
  const { config, layout } = suite
  const runs = runsOf(suite, options.only)
  refuseLink(layout.root, layout.runs)
  await refuseUntrustedSuite(suite, deps.isTrusted)
  await refuseLevels(suite, deps)
  using _lock = await takeLock({ file: await contestLock(layout, deps.paths), what: `The suite in ${layout.root}`, command })
  noteContest(deps.paths.state, { root: await realpath(layout.root) })
  const standings = await standingsOf(runsOf(suite))
  const { budget = {} } = config
  const money = options.budget === undefined ? budget.money : Math.min(options.budget, budget.money ?? options.budget)
  const purse = openPurse({ ...budget, money }, monotonicMs)
  if (options.fresh !== true) for (const each of standings) noteSpent(each, purse)
  const slots = slotsOf({
    cells: options.parallel ?? config.parallel ?? parallelByMachine(deps.machine),
    ...(config.vendorCells === undefined ? {} : { cellsPerFamily: config.vendorCells }),
    ...(config.stagger === undefined ? {} : { staggerMs: config.stagger }),
  })
  const name = command.replace(/^paddock /, '')
  const attributes = { 'paddock.suite.name': config.name, 'paddock.suite.contests': runs.length }
  const notice = (message: string): void => deps.progress({ type: 'warning', message })
  return await inSpan({ name, attributes }, { env: deps.env, notice }, () =>
    act({ suite, deps, options, runs, standings, shared: { slots, purse }, whys: new Map() }),
  )
}

/**
 * Works on contests in order, as many at the same time as cells may run. A contest that fails does not stop the others; the reason is in
 * `whys`, by the name of the contest, also if the budget kept a part of it from starting. `work` gets the resources of the contest, and returns
 * the sentence of its report, or null.
 */
export async function onEach<Run>(
  scene: Pick<SuiteScene, 'deps' | 'shared' | 'whys'>,
  open: readonly Run[],
  nameOf: (run: Run) => string,
  work: (run: Run, shared: Shared) => Promise<string | null>,
): Promise<void> {
  const { deps, shared, whys } = scene
  const { purse, slots } = shared
  const waiting = [...open]
  const leftNow = (): string => `the budget has ${leftWords(purse.reached ?? '')}`
  let done = 0
  const one = async (run: Run): Promise<void> => {
    const name = nameOf(run)
    try {
      let isCut = false
      const start: Purse['start'] = (...who) => {
        const started = purse.start(...who)
        isCut ||= started === null
        return started
      }
      const verdict = await work(run, { slots, purse: { start } })
      if (isCut) {
        whys.set(name, leftNow())
        return deps.progress({ type: 'run-unfinished', run: name, message: leftNow() })
      }
      done += 1
      deps.progress({ type: 'run-ended', run: name, verdict, done, of: open.length })
    } catch (error) {
      if (!(error instanceof PaddockError) || error.code === 'CANCELLED') {
        if (deps.signal.aborted) return
        throw error
      }
      done += 1
      whys.set(name, messageOf(error))
      deps.progress({ type: 'run-failed', run: name, message: messageOf(error) })
    }
  }
  const next = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined && !deps.signal.aborted; run = waiting.shift()) {
      if (purse.reached === null) await one(run)
      else whys.set(nameOf(run), leftNow())
    }
  }
  await Promise.all(Array.from({ length: Math.min(slots.cells, open.length) }, next))
  if (purse.reached !== null) deps.progress({ type: 'budget', cap: purse.reached })
}

/** Throws CANCELLED if the command was stopped, with the command that continues. */
export function stopIfAborted({ suite, deps }: SuiteScene, command: string): void {
  if (!deps.signal.aborted) return
  throw new PaddockError('CANCELLED', 'The suite was stopped. Finished work is kept.', {
    hint: `To continue, run: ${command} ${shellWord(suite.layout.root)}`,
  })
}

/** Writes the report of a suite. */
export async function reportOn({ suite, deps, shared, whys }: SuiteScene): Promise<SuiteResult> {
  return await writeSuiteReport(suite, { whys, reached: shared.purse.reached }, deps.now())
}

/** Returns the dependencies of one contest. `run`: its name. */
export function depsOf({ suite, deps }: Pick<SuiteScene, 'suite' | 'deps'>, run: string): ContestDeps {
  return { ...deps, isTrusted: trustedAsSuite(suite), progress: (event) => deps.progress({ type: 'contest', run, event }) }
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
