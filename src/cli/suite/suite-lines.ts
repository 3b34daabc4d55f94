import { formatCost } from '../../base/quantities.ts'
import { firstLines, printable } from '../../base/text.ts'
import { terminalTable } from '../../contest/report/draw-tables.ts'
import type { SuitePlan } from '../../contest/suite/plan-suite.ts'
import { suiteColumns } from '../../contest/suite/report/suite-columns.ts'
import type { SuiteSummary } from '../../contest/suite/report/suite-summary.ts'
import type { SuiteStanding } from '../../contest/suite/suite-standing.ts'
import { rolesTable } from '../contest/contest-plan-lines.ts'
import { columns, table } from '../terminal/table.ts'

interface Broken {
  readonly path: string
  readonly problem: string
}

/** Returns the leaderboard of a suite for a terminal. */
export function suiteBoardLines(summary: SuiteSummary): readonly string[] {
  const { verdict, ranking, notes, briefs, judges } = summary
  const lines = verdict === null ? [] : [printable(verdict.sentence), '']
  lines.push(...table(...terminalTable(suiteColumns(summary), ranking)))
  if (summary.variants.length > 0) lines.push('', ...summary.variants.map(({ sentence }) => printable(sentence)))
  const failed = judges.filter((each) => each.failed > 0)
  if (failed.length > 0)
    lines.push(
      '',
      ...failed.map((each) => printable(`judge ${each.name} failed in ${each.failed} of ${each.answered + each.failed} contests`)),
    )
  lines.push(...brokenLines(briefs.flatMap(({ path, problem }) => (problem === null ? [] : [{ path, problem }]))))
  if (notes.length > 0) lines.push('', ...notes.map(printable))
  return lines
}

/** Returns the progress of each contest. */
export function suiteStatusLines({ suite, atWork, contests, broken }: SuiteStanding): readonly string[] {
  const complete = contests.filter(({ state }) => state === 'complete').length
  const rows = contests.map(({ run, state, open, atWork: isRunning }) => [
    `  ${printable(run)}`,
    isRunning ? 'running' : state.replace('-', ' '),
    state === 'unfinished' || isRunning ? `${open.participants} to run, ${open.judges} to ask` : '',
  ])
  const head = `${printable(suite)}: ${complete} of ${contests.length} contests are complete`
  return [atWork ? `${head}, and a process works on it` : head, ...columns(rows), ...brokenLines(broken)]
}

/** Returns the plan of `suite run`. */
export function suitePlanLines({ suite, contests, broken, open, parallel, cost, each }: SuitePlan): readonly string[] {
  const money = cost.money === null ? 'no cost is known yet' : `about ${formatCost(cost.money)}, from earlier costs`
  return [
    `${printable(suite)}: ${contests.open} of ${contests.all} contests to run, ${parallel} cells at once`,
    `${open.participants} participants to run, ${open.judges} judges to ask: ${money}`,
    '',
    ...rolesTable(each),
    ...brokenLines(broken),
  ]
}

function brokenLines(broken: readonly Broken[]): string[] {
  if (broken.length === 0) return []
  const all = broken.map(({ path, problem }) => printable(`${path}: ${problem}`))
  return ['', 'skipped', ...firstLines(all, 20).map((each) => `  ${each}`)]
}
