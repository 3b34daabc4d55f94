import { formatCost, formatDuration } from '../../../quantities.ts'
import { agreementTable } from '../../report/agreement-table.ts'
import { boardTable } from '../../report/board-table.ts'
import { cell, table } from '../../report/markdown.ts'
import { cardWords, formatRank, formatScore, formatSpread, formatTokens } from '../../report/words.ts'
import type { SuiteSummary } from './summary.ts'
import { chanceColumns, resultWords, shareWords } from './words.ts'

/** Returns the content of a suite's report/leaderboard.md (GitHub Flavored Markdown). */
export function suiteLeaderboard(summary: SuiteSummary): string {
  const { suite, description, verdict, notes, generatedAt } = summary
  const lines = [`# ${cell(suite)}`, '']
  if (description !== null) lines.push(cell(description), '')
  if (verdict !== null) lines.push(`**${cell(verdict.sentence)}**`, '')
  lines.push(...rankingTable(summary), '')
  for (const note of notes) lines.push(`- ${cell(note)}`)
  lines.push('', ...boardTable(summary), ...briefTable(summary), ...agreementTable(summary), ...judgeTable(summary), `${generatedAt}.`, '')
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}

function rankingTable({ ranking, rankedBy }: SuiteSummary): string[] {
  const chances = chanceColumns(ranking)
  const rows = ranking.map((each) => [
    formatRank(each),
    `**${cell(each.name)}**`,
    agentWords(each),
    formatScore(each.score),
    formatSpread(each.interval),
    shareWords(each.completion),
    each.passes === null ? '–' : shareWords(each.passes),
    ...chances.cells(each),
    formatDuration(each.durationMs),
    formatTokens(each.tokens === null ? null : { ...each.tokens, cachedInput: 0, model: null }),
    formatCost(each.costUsd),
    each.failedToRun + each.notRun === 0 ? '–' : `${each.failedToRun} failed to run, ${each.notRun} not run`,
  ])
  const by = rankedBy === 'checks' ? 'Checks passed, %' : 'Score'
  const heads = [
    '#',
    'Participant',
    'Agent',
    by,
    '95% interval',
    'Delivered',
    'Passed all checks',
    ...chances.heads,
    'Total time',
    'Total tokens',
    'Total cost',
    'Not counted',
  ]
  return table(heads, rows)
}

function briefTable({ briefs, ranking }: SuiteSummary): string[] {
  const names = ranking.map(({ name }) => name)
  const rows = briefs.flatMap(({ name, problem, runs }) =>
    problem !== null
      ? [[cell(name), '–', cell(`skipped: ${problem}`), ...names.map(() => '–')]]
      : runs.map((run) => [
          cell(name),
          String(run.repeat),
          cell(run.why === null ? run.state.replace('-', ' ') : `${run.state.replace('-', ' ')}: ${run.why}`),
          ...names.map((each) => {
            const result = run.results.find((one) => one.name === each)
            return result === undefined ? '–' : cell(resultWords(result))
          }),
        ]),
  )
  return ['## By brief', '', ...table(['Brief', 'Repeat', 'State', ...names.map(cell)], rows), '']
}

function judgeTable({ judges }: SuiteSummary): string[] {
  if (judges.length === 0) return []
  const rows = judges.map((each) => [
    cell(each.name),
    agentWords(each),
    String(each.answered),
    String(each.failed),
    formatDuration(each.durationMs),
    formatCost(each.costUsd),
    cell(cardWords(each)) || '–',
  ])
  return ['## Judges', '', ...table(['Judge', 'Agent', 'Contests judged', 'Failed', 'Time', 'Cost', 'Beside the other judges'], rows), '']
}

function agentWords({ agent, model }: { readonly agent: string; readonly model: string | null }): string {
  return cell(model === null ? agent : `${agent} (${model})`)
}
