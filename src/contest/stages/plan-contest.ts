import { findAdapter } from '../../adapters/find-adapter.ts'
import type { Posture } from '../../base/posture.ts'
import { reachOf } from '../../cell/plan/trifecta/trifecta.ts'
import { refuseUntrusted } from '../config/asked-rights.ts'
import { readContest } from '../config/brief.ts'
import type { ContestConfig, RoleConfig } from '../config/contest-schema.ts'
import { judgesWithWork } from '../config/sense.ts'
import { refuseUntouched } from '../config/untouched.ts'
import { readyContest } from '../run/ready.ts'
import type { ReadyRole } from '../run/role.ts'
import { mustRun } from '../run/round.ts'
import { whoRunsAgain } from '../run/runs-again.ts'
import { type ContestOptions, onPlaceOf } from '../run/stage.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { type ContestStatus, type ParticipantStatus, readStatus, type TaskStatus } from '../state/contest-state.ts'
import { mustAsk, mustJudge } from '../state/counted-judging.ts'
import { tasksOf } from '../state/judge-state.ts'
import { readStarts, startOf } from '../state/round-start.ts'
import { parallelByMachine } from '../state/slots.ts'
import { type CellsAhead, cellsOfChecks, tasksAhead } from './cells-ahead.ts'

/** The planned run of one participant or judge. */
export interface PlannedRun {
  readonly name: string
  readonly agent: string
  readonly model: string | null
  /** The program that the cell starts. */
  readonly program: string
  /** The login that the program gets; null: no login. */
  readonly login: string | null
  /** The hosts that the cell can reach; null: no host. */
  readonly reaches: string | null
  /** The isolation level of its cells. */
  readonly posture: Posture
  /** The number of cells that would be started. */
  readonly cells: number
  /** The expected cost of these cells in US dollars, from earlier cells of this role in the contest; null: not known. */
  readonly costUsd: number | null
}

export interface ContestPlan {
  readonly schemaVersion: 1
  readonly contest: string
  readonly round: number
  readonly participants: readonly PlannedRun[]
  readonly judges: readonly PlannedRun[]
  /** The number of cells, if every participant delivers and every answer of a judge is usable. */
  readonly cells: CellsAhead
  /** The maximum number of cells that run at the same time. */
  readonly parallel: number
  /** The expected cost of participants and judges whose cost is known, in US dollars. */
  readonly costUsd: number
  /** The names of participants and judges whose cost is not known. */
  readonly costUnknown: readonly string[]
}

/**
 * `contest run --dry-run`: returns what a run would do now. Throws what `run` would throw before anything runs. Takes no lock and writes
 * nothing.
 */
export async function contestPlan(
  directory: string,
  deps: ContestDeps,
  options: Pick<ContestOptions, 'fresh' | 'retry' | 'only' | 'parallel'>,
): Promise<ContestPlan> {
  const contest = await readContest(directory)
  refuseUntouched(contest)
  await refuseUntrusted(contest, deps.isTrusted)
  const { retry, only } = whoRunsAgain(contest.config, options, directory)
  const status = await readStatus(contest.layout)
  const before = options.fresh === true ? null : status
  const starts = before === null ? {} : await readStarts(contest.layout, before.round)
  const isOpen = (name: string): boolean => {
    const at = before === null || !Object.hasOwn(before.participants, name) ? undefined : before.participants[name]
    // A refine was interrupted before it carried over the work of participants that are not run.
    if (at?.state === 'pending' && name !== only && startOf(starts, name)?.carried != null) return false
    return at === undefined || name === only || mustRun(at, retry)
  }
  const someOpen = contest.config.participants.some((each) => isOpen(each.name))
  const working = judgesWithWork(contest.config, findAdapter)
  const isWanted = (role: 'participants' | 'judges', name: string): boolean => {
    if (role === 'participants') return isOpen(name)
    return working.includes(name) && (someOpen || name === only || mustAsk(name, before?.tasks ?? [], retry))
  }
  const ready = await readyContest(contest, isWanted, onPlaceOf(before, deps))
  const { config } = contest
  const open = config.participants.map(({ name }) => name).filter(isOpen)
  const tasks = tasksToDo(config, before, open, { retry, only })
  const participants = ready.participants.map((each) => planned(each, 1, costBefore(status?.participants[each.name])))
  const judges = ready.judges.map((each) => planned(each, tasks.get(each.name) ?? 0, costOfTask(status, each.name)))
  const all = [...participants, ...judges]
  const unchecked = config.participants.filter(({ name }) => open.includes(name) || before?.participants[name]?.state === 'sealed').length
  return {
    schemaVersion: 1,
    contest: config.name,
    round: (status?.round ?? 0) + (before === null ? 1 : 0),
    participants,
    judges,
    cells: {
      participants: participants.length,
      checks: cellsOfChecks(config, unchecked),
      judges: judges.reduce((sum, each) => sum + each.cells, 0),
    },
    parallel: options.parallel ?? config.parallel ?? parallelByMachine(deps.machine),
    costUsd: all.reduce((sum, each) => sum + (each.costUsd ?? 0), 0),
    costUnknown: all.filter((each) => each.costUsd === null).map(({ name }) => name),
  }
}

/** Returns the number of tasks for each judge: all of a new judging if there is new work, else the open ones. */
function tasksToDo(
  config: ContestConfig,
  before: ContestStatus | null,
  open: readonly string[],
  { retry, only }: { readonly retry: boolean; readonly only: string | null },
): ReadonlyMap<string, number> {
  const delivers = ({ name }: RoleConfig): boolean => open.includes(name) || before?.participants[name]?.outcome?.kind === 'delivered'
  const anew = tasksAhead(
    config,
    config.participants.filter(delivers).map(({ name }) => name),
  )
  if (before === null || open.length > 0 || before.tasks.length === 0) return anew
  const own = (judge: string): readonly TaskStatus[] => tasksOf(judge, before.tasks)
  const todo = (judge: string): number => own(judge).filter((each) => judge === only || mustJudge(each, retry)).length
  return new Map(config.judges.map(({ name }) => [name, own(name).length === 0 ? (anew.get(name) ?? 0) : todo(name)]))
}

type Cost = Pick<ParticipantStatus, 'attempt' | 'costUsd' | 'earlierCostUsd'>

/** Returns the average cost of an attempt; null if no cost was reported. */
function costBefore(at: Cost | undefined): number | null {
  const earlier = at?.earlierCostUsd ?? 0
  if (at === undefined || at.attempt === 0 || (at.costUsd === null && earlier === 0)) return null
  return ((at.costUsd ?? 0) + earlier) / at.attempt
}

function costOfTask(status: ContestStatus | null, judge: string): number | null {
  const tasks = tasksOf(judge, [...(status?.tasks ?? []), ...(status?.complete?.tasks ?? [])])
  const known = tasks.flatMap((each) => costBefore(each) ?? [])
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length
}

/** Returns the planned run of a role. `each`: the earlier cost of one of its cells. A role without a model costs nothing. */
function planned({ name, families, run: { request, command, login, egress } }: ReadyRole, cells: number, each: number | null): PlannedRun {
  const { agent, model } = request
  const costUsd = each !== null ? each * cells : families.length === 0 ? 0 : null
  return { name, agent, model, program: command.argv[0] ?? '', login, reaches: reachOf(egress), posture: request.posture, cells, costUsd }
}
