import { formatCost, formatDuration } from '../../quantities.ts'
import type { NotRanked, Summary } from '../ranking/summary.ts'
import { agreementTable } from './agreement-table.ts'
import { boardTable } from './board-table.ts'
import { cell, table } from './markdown.ts'
import {
  againWords,
  cardWords,
  comparisonsThatCount,
  endedWords,
  formatChecks,
  formatNumber,
  formatRank,
  formatScore,
  formatSpread,
  formatTokens,
  labelWords,
  meetingWords,
} from './words.ts'
import { yoursTable } from './yours-table.ts'

/** Returns the content of report/leaderboard.md (GitHub Flavored Markdown). */
export function leaderboard(summary: Summary): string {
  const lines = [`# ${cell(summary.contest)}`, '']
  if (summary.description !== null) lines.push(cell(summary.description), '')
  if (summary.verdict !== null) lines.push(`**${cell(summary.verdict.sentence)}**`, '')
  lines.push(...rankingTable(summary), '')
  for (const note of summary.notes) lines.push(`- ${cell(note)}`)
  lines.push(
    '',
    ...boardTable(summary),
    ...pairTable(summary),
    ...dimensionTable(summary),
    ...agreementTable(summary),
    ...yoursTable(summary),
    ...checkTable(summary),
    ...missing(summary),
    ...judgeTable(summary),
  )
  lines.push(`Round ${summary.round}, judging ${summary.judging}, ${summary.generatedAt}.`, '')
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}

function rankingTable({ ranking, rankedBy }: Summary): string[] {
  if (ranking.length === 0) return ['No submission was delivered.']
  const rows = ranking.map((each) => [
    formatRank(each),
    `**${cell(each.name)}**`,
    agentWords(each),
    formatScore(each.score),
    formatSpread(each.interval),
    formatSpread(each.spread),
    formatChecks(each.checks),
    each.durationMs === null ? '–' : formatDuration(each.durationMs),
    formatTokens(each.tokens),
    formatCost(each.costUsd),
    cell(endedWords(each)),
  ])
  const by = { judges: 'Score', 'checks-then-judges': 'Score', checks: 'Checks passed, %', nothing: 'Score' }[rankedBy]
  return table(
    ['#', 'Participant', 'Agent', by, '95% interval', 'Range over judges', 'Checks', 'Time', 'Tokens', 'Cost', 'How it ended'],
    rows,
  )
}

function pairTable(summary: Summary): string[] {
  const { ranking, pairs } = summary
  if (pairs.length === 0) return []
  const compared = comparisonsThatCount(summary)
  const rows = ranking.map(({ name }) => [cell(name), ...ranking.map((other) => cell(meetingWords(name, other.name, compared)))])
  return [
    '## Who beats whom (comparisons that the row won)',
    '',
    ...table(['Participant', ...ranking.map(({ name }) => cell(name))], rows),
    '',
  ]
}

function dimensionTable({ ranking, dimensions, scale }: Summary): string[] {
  const rows = ranking.flatMap((each) =>
    each.judgements.map((one) => [
      cell(each.name),
      cell(one.judge),
      ...dimensions.map(({ id }) => formatNumber(one.dimensions[id])),
      formatScore(one.score),
    ]),
  )
  if (rows.length === 0 || scale === null) return []
  const heads = ['Participant', 'Judge', ...dimensions.map(({ id, weight }) => `${cell(id)} ×${weight}`), 'Score']
  return [`## By judge and dimension (${scale.min} to ${scale.max})`, '', ...table(heads, rows), '']
}

function checkTable({ ranking }: Summary): string[] {
  const names = [...new Set(ranking.flatMap((each) => each.checks.results.map((one) => one.name)))]
  if (names.length === 0) return []
  const words = { passed: 'passed', failed: 'failed', 'could-not-run': 'could not run' }
  const rows = ranking.map((each) => [
    cell(each.name),
    ...names.map((name) => {
      const found = each.checks.results.find((one) => one.name === name)
      if (found === undefined) return '–'
      return found.why === null ? words[found.result] : `${words[found.result]} (${cell(found.why)})`
    }),
  ])
  return ['## Checks', '', ...table(['Participant', ...names.map(cell)], rows), '']
}

function missing({ notRanked }: Summary): string[] {
  const section = (title: string, list: readonly NotRanked[]): string[] =>
    list.length === 0
      ? []
      : [
          title,
          '',
          ...list.map((each) => {
            const again = againWords(each)
            return `- **${cell(each.name)}** (${agentWords(each)}): ${cell(endedWords(each))}${again === null ? '' : ` – ${cell(again)}`}`
          }),
          '',
        ]
  return [
    ...section(
      '## Could not be run (says nothing about the work)',
      notRanked.filter((each) => each.failedToRun),
    ),
    ...section(
      '## Ran, but delivered nothing that counts',
      notRanked.filter((each) => !each.failedToRun),
    ),
  ]
}

function judgeTable({ judges }: Summary): string[] {
  if (judges.length === 0) return []
  const rows = judges.map((each) => [
    cell(each.name),
    agentWords(each),
    each.state === 'scored'
      ? 'scored'
      : cell(`${each.state}${each.why === null ? '' : `: ${each.why}`}${each.hint === null ? '' : ` – ${each.hint}`}`),
    each.durationMs === null ? '–' : formatDuration(each.durationMs),
    formatTokens(each.tokens),
    formatCost(each.costUsd),
    cardWords(each) || '–',
    cell(labelWords(each)) || '–',
  ])
  return [
    '## Judges',
    '',
    ...table(['Judge', 'Agent', 'State', 'Time', 'Tokens', 'Cost', 'Beside the other judges', 'Its labels'], rows),
    '',
  ]
}

function agentWords({ agent, model }: { readonly agent: string; readonly model: string | null }): string {
  return cell(model === null ? agent : `${agent} (${model})`)
}
