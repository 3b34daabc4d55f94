import { mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { type ContestPlan, contestPlan } from '../stages/plan-contest.ts'
import { parallelByMachine } from '../state/slots.ts'
import { layOut } from './config/lay-out-suite.ts'
import { readSuite, type Suite } from './config/read-suite.ts'
import { configOf, type RunStanding, runsOf, type SuiteRun, standingsOf } from './runs.ts'
import type { SuiteDeps, SuiteOptions } from './suite-deps.ts'
import { refuseLevels } from './suite-levels.ts'
import { refuseUntrustedSuite, trustedAsSuite } from './trust-suite.ts'

/** The result of `suite run --dry-run`. */
export interface SuitePlan {
  readonly schemaVersion: 1
  readonly suite: string
  readonly contests: { readonly all: number; readonly open: number }
  /** Briefs that cannot be run. */
  readonly broken: readonly { readonly path: string; readonly problem: string }[]
  /** The number of participants' cells that would be started, and of judges that would be asked, with one or more tasks each. */
  readonly open: { readonly participants: number; readonly judges: number }
  /** The maximum number of cells at the same time. */
  readonly parallel: number
  /**
   * The expected cost of all open parts in US dollars, from the mean cost so far of one participant or judge in one contest. Null: no cost
   * is known yet. `unknown`: the number of parts without an estimate; 0 unless `money` is null.
   */
  readonly cost: { readonly money: number | null; readonly unknown: number }
  /** The participants and judges that would be run in one contest. */
  readonly each: Pick<ContestPlan, 'participants' | 'judges'>
}

/** Returns what `suite run` would do. Throws what that would throw before anything runs. Takes no lock, and leaves nothing on disk. */
export async function suitePlan(directory: string, deps: SuiteDeps, options: SuiteOptions = {}): Promise<SuitePlan> {
  const suite = await readSuite(directory)
  const runs = runsOf(suite, options.only)
  await refuseUntrustedSuite(suite, deps.isTrusted)
  await refuseLevels(suite, deps)
  const each = await planFirst(suite, runs, deps)
  const standings = await standingsOf(runs)
  const open = options.fresh === true ? standings.map(asNew) : standings.filter(({ state }) => state !== 'complete')
  const sum = (of: 'participants' | 'judges'): number => open.reduce((all, standing) => all + standing.open[of], 0)
  return {
    schemaVersion: 1,
    suite: suite.config.name,
    contests: { all: runs.length, open: open.length },
    broken: suite.briefs.flatMap(({ path: at, problem }) => (problem === null ? [] : [{ path: at, problem }])),
    open: { participants: sum('participants'), judges: sum('judges') },
    parallel: options.parallel ?? suite.config.parallel ?? parallelByMachine(deps.machine),
    cost: expectedCost(standings, sum('participants') + sum('judges')),
    each,
  }
}

/**
 * Returns the participants and judges that the first of these contests would run. All contests have the same agents. Throws if a
 * requirement is missing.
 */
export async function planFirst(
  suite: Suite,
  [first]: readonly SuiteRun[],
  deps: SuiteDeps,
): Promise<Pick<ContestPlan, 'participants' | 'judges'>> {
  if (first === undefined) throw new PaddockError('BAD_INPUT', 'There is no brief to run.')
  const scratch = path.join(deps.paths.state, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const directory = await mkdtemp(path.join(scratch, 'suite-plan-'))
  try {
    await layOut(suite, first.brief, directory)
    const { participants, judges } = await contestPlan(directory, { ...deps, isTrusted: trustedAsSuite(suite), progress: () => {} }, {})
    return { participants, judges }
  } finally {
    await removeTree(directory)
  }
}

function asNew(standing: RunStanding): RunStanding {
  const { participants, judges } = configOf(standing.run.brief)
  return { ...standing, state: 'not-run', open: { participants: participants.length, judges: judges.length } }
}

/** Returns the expected cost from the mean cost of a part: one participant or one judge in one contest. */
export function expectedCost(standings: readonly RunStanding[], open: number): SuitePlan['cost'] {
  const costs = standings.flatMap(({ status }) => {
    const judges = [...Map.groupBy(status?.tasks ?? [], ({ judge }) => judge).values()].map((tasks) =>
      tasks.reduce<number | null>((sum, { costUsd }) => (costUsd === null ? sum : (sum ?? 0) + costUsd), null),
    )
    return [...Object.values(status?.participants ?? {}).map(({ costUsd }) => costUsd), ...judges].flatMap((each) => each ?? [])
  })
  if (costs.length === 0) return { money: null, unknown: open }
  return { money: (costs.reduce((sum, each) => sum + each, 0) / costs.length) * open, unknown: 0 }
}
