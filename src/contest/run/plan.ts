import { findAdapter } from '../../adapters/registry.ts'
import { reachOf } from '../../cell/plan/trifecta.ts'
import { refuseUntrusted } from '../config/asks.ts'
import { readContest } from '../config/brief.ts'
import { judgesWithWork } from '../config/sense.ts'
import { refuseUntouched } from '../config/untouched.ts'
import { mustAsk } from '../judging/counted.ts'
import { readStatus } from '../state/status.ts'
import type { ContestDeps } from './deps.ts'
import { readyContest } from './ready.ts'
import type { ReadyRole } from './role.ts'
import { mustRun } from './round.ts'
import { whoRunsAgain } from './runs-again.ts'
import type { ContestOptions } from './stage.ts'

/** What one participant or judge would be run as. */
export interface PlannedRun {
  readonly name: string
  readonly agent: string
  readonly model: string | null
  /** What its cell starts. */
  readonly program: string
  /** The login that it gets; null: none. */
  readonly login: string | null
  /** Which hosts it can reach; null: none. */
  readonly reaches: string | null
}

export interface ContestPlan {
  readonly schemaVersion: 1
  readonly contest: string
  readonly round: number
  readonly participants: readonly PlannedRun[]
  readonly judges: readonly PlannedRun[]
}

/** `contest run --dry-run`: who would be run now. Throws what `run` would throw before anything runs. Takes no lock and writes nothing. */
export async function contestPlan(
  directory: string,
  deps: ContestDeps,
  options: Pick<ContestOptions, 'fresh' | 'retry' | 'only'>,
): Promise<ContestPlan> {
  const contest = await readContest(directory)
  refuseUntouched(contest)
  await refuseUntrusted(contest, deps.isTrusted)
  const { retry, only } = whoRunsAgain(contest.config, options, directory)
  const status = await readStatus(contest.layout)
  const before = options.fresh === true ? null : status
  const isOpen = (name: string): boolean => {
    const at = before === null || !Object.hasOwn(before.participants, name) ? undefined : before.participants[name]
    return at === undefined || name === only || mustRun(at, retry)
  }
  const someOpen = contest.config.participants.some((each) => isOpen(each.name))
  const working = judgesWithWork(contest.config, findAdapter)
  const isWanted = (role: 'participants' | 'judges', name: string): boolean => {
    if (role === 'participants') return isOpen(name)
    return working.includes(name) && (someOpen || name === only || mustAsk(name, before?.tasks ?? [], retry))
  }
  const { participants, judges } = await readyContest(contest, isWanted, deps)
  return {
    schemaVersion: 1,
    contest: contest.config.name,
    round: (status?.round ?? 0) + (before === null ? 1 : 0),
    participants: participants.map(planned),
    judges: judges.map(planned),
  }
}

function planned({ name, run: { request, command, login, egress } }: ReadyRole): PlannedRun {
  const { agent, model } = request
  return { name, agent, model, program: command.argv[0] ?? '', login, reaches: reachOf(egress) }
}
