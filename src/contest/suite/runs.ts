import path from 'node:path'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { Layout } from '../config/contest-layout.ts'
import { type ContestConfig, contestSchema } from '../config/contest-schema.ts'
import { judgesWithWork } from '../config/sense.ts'
import { mustRun } from '../run/round.ts'
import { mustSeal } from '../run/settle.ts'
import { type ContestStatus, fitted, type ParticipantStatus, readStatus } from '../state/contest-state.ts'
import { mustAsk } from '../state/counted-judging.ts'
import type { GoodBrief, Suite } from './config/read-suite.ts'

/** One contest of a suite. */
export interface SuiteRun {
  readonly brief: GoodBrief
  readonly repeat: number
  /** The directory of the contest, which may not exist yet. */
  readonly directory: string
}

/**
 * Returns the contests of a suite in the order in which they are run: all briefs once, then all of them again. `only` has names of briefs;
 * empty: all.
 * @throws PaddockError NOT_FOUND for an unknown name, BAD_INPUT for a brief that cannot be run.
 */
export function runsOf({ config, layout, briefs }: Suite, only: readonly string[] = []): SuiteRun[] {
  for (const name of only) {
    const brief = briefs.find((each) => each.name === name)
    if (brief === undefined) {
      const names = briefs.map((each) => each.name)
      const near = nearest(name, names)
      throw new PaddockError('NOT_FOUND', `--only ${name}: this suite has no brief of that name.`, {
        hint: near === null ? `The briefs are ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}` : `Did you mean ${near}?`,
      })
    }
    if (brief.problem !== null) throw new PaddockError('BAD_INPUT', `--only ${name}: ${brief.path}: ${brief.problem}`)
  }
  const wanted = briefs.flatMap((each) => (each.problem === null && (only.length === 0 || only.includes(each.name)) ? [each] : []))
  return Array.from({ length: config.repeats }, (_, index) => index + 1).flatMap((repeat) =>
    wanted.map((brief) => ({ brief, repeat, directory: layout.run(brief.name, repeat) })),
  )
}

/** Returns the name of a contest of a suite. */
export function runName({ brief, repeat }: Pick<SuiteRun, 'brief' | 'repeat'>): string {
  return path.join(brief.name, String(repeat))
}

/** Returns the config of a contest of a suite. */
export function configOf({ composed }: GoodBrief): ContestConfig {
  return contestSchema.parse(composed.contest)
}

/** The state of one contest. */
export interface RunStanding {
  readonly run: SuiteRun
  readonly status: ContestStatus | null
  readonly state: 'complete' | 'unfinished' | 'not-run'
  /** The number of participants that must still be run, and of judges that must still be asked. */
  readonly open: { readonly participants: number; readonly judges: number }
  /** The number of participants, and of judges that have something to judge. */
  readonly all: { readonly participants: number; readonly judges: number }
}

/** Returns the state of each contest. Reads one file per contest and takes no lock. */
export async function standingsOf(runs: readonly SuiteRun[]): Promise<RunStanding[]> {
  const standings: RunStanding[] = []
  const configs = new Map<GoodBrief, ContestConfig>()
  for (const run of runs) {
    const config = configs.get(run.brief) ?? configOf(run.brief)
    configs.set(run.brief, config)
    standings.push(standingOf(run, config, await readStatus(new Layout(run.directory))))
  }
  return standings
}

function standingOf(run: SuiteRun, config: ContestConfig, found: ContestStatus | null): RunStanding {
  const judges = judgesWithWork(config, findAdapter)
  const everyone = { participants: config.participants.length, judges: judges.length }
  if (found === null) return { run, status: null, state: 'not-run', open: everyone, all: everyone }
  const status = fitted(found, config)
  const runs = Object.values(status.participants)
  const participants = runs.filter((each) => mustRun(each, false)).length
  const isSomethingToJudge = participants > 0 || runs.some(({ outcome }) => outcome?.kind === 'delivered')
  const asked = isSomethingToJudge ? judges.filter((each) => mustAsk(each, status.tasks, false)).length : 0
  const isOpen = participants + asked > 0 || runs.some((each) => mustSeal(each, config) || mustCheck(each))
  const isBegun = runs.some(({ attempt }) => attempt > 0)
  return {
    run,
    status,
    state: !isOpen ? 'complete' : isBegun ? 'unfinished' : 'not-run',
    open: { participants, judges: asked },
    all: everyone,
  }
}

/** Returns true if work was sealed, but not checked: the command ended in between. */
function mustCheck({ state, outcome }: ParticipantStatus): boolean {
  return state === 'sealed' && outcome?.kind === 'delivered'
}
