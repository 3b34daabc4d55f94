import { formatCost, formatDuration } from '../../../base/quantities.ts'
import { agentWords, placeColumns, usedColumns } from '../../report/contest-columns.ts'
import { type Column, numeric } from '../../report/draw-tables.ts'
import { html } from '../../report/page/markup.ts'
import { state } from '../../report/page/page-parts.ts'
import { cardWords } from '../../report/result-text.ts'
import type { SuiteRow, SuiteSummary } from './suite-summary.ts'
import { chancesWords, knownChances, percent, resultWords, shareWords } from './suite-text.ts'

/** The leaderboard of a suite. */
export function suiteColumns({ ranking, rankedBy }: Pick<SuiteSummary, 'ranking' | 'rankedBy'>): readonly Column<SuiteRow>[] {
  const isChecked = ranking.some(({ passes }) => passes !== null)
  const [most, passed] = [knownChances(ranking), 'Passed all checks']
  const all = (name: string) => ({ terminal: name, markdown: name, page: name })
  const success = isChecked ? 'Cost per pass' : 'Cost per delivery'
  return [
    ...placeColumns(rankedBy, all('95% interval')),
    {
      head: { terminal: 'delivered', markdown: 'Delivered', page: 'Delivered' },
      text: ({ completion }) => shareWords(completion),
      sort: ({ completion }) => completion.share,
      ...{ class: 'wide', label: 'Delivered' },
    },
    {
      head: { markdown: 'Checks', page: 'Checks' },
      text: ({ checks }) => (checks === null ? '–' : `${percent(checks)}%`),
      sort: ({ checks }) => checks,
      ...numeric,
      label: 'Checks',
    },
    {
      head: { ...(isChecked ? { terminal: 'passed all checks' } : {}), markdown: passed, page: passed },
      text: ({ passes }) => (passes === null ? '–' : shareWords(passes)),
      sort: ({ passes }) => passes?.share ?? null,
      ...{ class: 'wide', label: 'Passed' },
    },
    ...(most === null
      ? []
      : (['any', 'all'] as const).map((which): Column<SuiteRow> => {
          const name = `pass${which === 'any' ? '@' : '^'}${most}`
          return { head: all(name), text: (row) => chancesWords(row, most, which), ...numeric, label: name }
        })),
    ...(ranking.some(({ postures }) => (postures ?? []).length > 0)
      ? [
          {
            head: { markdown: 'Level', page: 'Level' },
            text: ({ postures = [] }: SuiteRow) => (postures.length === 0 ? '–' : postures.join(' and ')),
            ...{ class: 'wide', label: 'Level' },
          },
        ]
      : []),
    ...usedColumns(true),
    ...(ranking.some(({ costPerSuccess }) => costPerSuccess !== null)
      ? [
          {
            head: { markdown: success, page: success },
            text: costWords,
            sort: ({ costPerSuccess }: SuiteRow) => costPerSuccess?.costUsd ?? null,
            ...{ class: 'wide', label: success },
          },
        ]
      : []),
    {
      head: { terminal: 'not counted', markdown: 'Not counted', page: 'Not counted' },
      text: ({ failedToRun, notRun }) => (failedToRun + notRun === 0 ? '–' : `${failedToRun} failed to run, ${notRun} not run`),
      class: 'wide ended',
    },
  ]
}

function costWords({ costPerSuccess: cost, dominatedBy }: SuiteRow): string {
  if (cost === null) return '–'
  const sure = cost.low === null || cost.high === null ? '' : ` (${formatCost(cost.low)}–${formatCost(cost.high)})`
  return `${formatCost(cost.costUsd)}${sure}${dominatedBy === null ? '' : `, more than ${dominatedBy} for a lower score`}`
}

/** One contest of a suite, or a brief that cannot be run. */
interface BriefRow {
  readonly brief: string
  readonly problem: string | null
  readonly run: SuiteSummary['briefs'][number]['runs'][number] | null
}

/** The contests by brief. The page lists the briefs that cannot be run above the table. */
export function briefColumns({ ranking }: Pick<SuiteSummary, 'ranking'>): readonly Column<BriefRow>[] {
  return [
    {
      head: 'Brief',
      text: ({ brief }) => brief,
      html: ({ brief, run }) =>
        run?.hasReport === true ? html`<a href="../runs/${brief}/${run.repeat}/report/report.html">${brief}</a>` : html`${brief}`,
    },
    { head: 'Repeat', text: ({ run }) => String(run?.repeat ?? '–'), sort: ({ run }) => run?.repeat ?? null, ...numeric },
    {
      head: 'State',
      text: stateWords,
      html: (row) => (row.run?.state === 'complete' ? html`complete` : state(row.run?.why == null ? 'none' : 'bad', stateWords(row))),
    },
    ...ranking.map(({ name }): Column<BriefRow> => {
      const found = ({ run }: BriefRow) => run?.results.find((one) => one.name === name)
      return {
        head: name,
        text(row) {
          const result = found(row)
          return result === undefined ? '–' : resultWords(result)
        },
        sort: (row) => found(row)?.score ?? null,
      }
    }),
  ]
}

function stateWords({ problem, run }: BriefRow): string {
  if (run === null) return `skipped: ${problem}`
  const words = run.state.replace('-', ' ')
  return run.why === null ? words : `${words}: ${run.why}`
}

export function briefRows({ briefs }: Pick<SuiteSummary, 'briefs'>): BriefRow[] {
  return briefs.flatMap(({ name, problem, runs }): BriefRow[] =>
    problem === null ? runs.map((run) => ({ brief: name, problem, run })) : [{ brief: name, problem, run: null }],
  )
}

/** The judges, in the Markdown report; the page shows a card for each. */
export const suiteJudgeColumns: readonly Column<SuiteSummary['judges'][number]>[] = [
  { head: { markdown: 'Judge' }, text: ({ name }) => name },
  { head: { markdown: 'Agent' }, text: agentWords },
  { head: { markdown: 'Contests judged' }, text: ({ answered }) => String(answered) },
  { head: { markdown: 'Failed' }, text: ({ failed }) => String(failed) },
  { head: { markdown: 'Time' }, text: ({ durationMs }) => formatDuration(durationMs) },
  { head: { markdown: 'Cost' }, text: ({ costUsd }) => formatCost(costUsd) },
  { head: { markdown: 'Beside the other judges' }, text: cardWords },
]
