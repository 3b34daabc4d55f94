import { findAdapter } from '../../adapters/find-adapter.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import { keptApart } from '../config/sense.ts'
import { dealLabels } from '../judging/labels.ts'

/** The number of cells that would be started if every participant delivers and every answer of a judge is usable. */
export interface CellsAhead {
  readonly participants: number
  readonly checks: number
  readonly judges: number
}

/** Returns the number of cells that the checks of this many submissions need. The result of a run is judged in a second cell. */
export function cellsOfChecks({ checks }: Pick<ContestConfig, 'checks'>, submissions: number): number {
  return submissions * checks.reduce((sum, { command, repeats }) => sum + (command === undefined ? 2 : 1) * repeats, 0)
}

/** Returns the number of tasks that each judge would get, by name, if these participants deliver. */
export function tasksAhead(config: ContestConfig, participants: readonly string[]): ReadonlyMap<string, number> {
  if (participants.length === 0) return new Map()
  const { tasks } = dealLabels(
    { judging: 1, round: 1 },
    participants.map((participant) => ({ participant, tree: '' })),
    config.judges.map(({ name }) => name),
    { ...config.judging, isApart: keptApart(config, findAdapter) },
  )
  return new Map([...Map.groupBy(tasks, ({ judge }) => judge)].map(([judge, own]) => [judge, own.length]))
}

/** Returns the number of cells of a contest from start to report. */
export function allCells(config: ContestConfig): CellsAhead {
  const names = config.participants.map(({ name }) => name)
  const judges = [...tasksAhead(config, names).values()].reduce((sum, each) => sum + each, 0)
  return { participants: names.length, checks: cellsOfChecks(config, names.length), judges }
}
