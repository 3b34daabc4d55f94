import type { NotRanked, Summary } from '../ranking/contest-summary.ts'
import {
  agentWords,
  agreementColumns,
  boardColumns,
  checkColumns,
  dimensionColumns,
  judgeColumns,
  leaderboardColumns,
  meetingColumns,
  yourColumns,
} from './contest-columns.ts'
import { type Column, markdownTable } from './draw-tables.ts'
import { cell, paragraph } from './report-markdown.ts'
import { againWords, endedWords, type OnBoards, onBoards, styleWords, yourWords } from './result-text.ts'
import { variantColumns, variantsTitle } from './variant-columns.ts'

/** Returns the content of report/leaderboard.md (GitHub Flavored Markdown). */
export function leaderboard(summary: Summary): string {
  const { ranking, pairs, scale, agreement, judges, round, judging, generatedAt } = summary
  const ranked = markdownTable(leaderboardColumns(summary), ranking)
  const scored = ranking.flatMap(({ name, judgements }) => judgements.map((judgement) => ({ name, judgement })))
  return document(summary, ranking.length === 0 ? ['No submission was delivered.'] : ranked, [
    ...section(variantsTitle, variantColumns, summary.variants),
    ...boardSection(summary),
    ...section('Who beats whom (comparisons that the row won)', meetingColumns(summary), pairs.length === 0 ? [] : ranking),
    ...section(`By judge and dimension (${scale?.min} to ${scale?.max})`, dimensionColumns(summary), scale === null ? [] : scored),
    ...agreementSection(agreement),
    ...yourSection(summary),
    ...section('Checks', checkColumns(summary), ranking.some(({ checks }) => checks.results.length > 0) ? ranking : []),
    ...missing(summary),
    ...section('Judges', judgeColumns, judges),
    `Round ${round}, judging ${judging}, ${generatedAt}.`,
  ])
}

interface Document {
  readonly description: string | null
  readonly verdict: { readonly sentence: string } | null
  readonly notes: readonly string[]
}

/** Returns a report in Markdown: the ranking with its verdict and notes, then more sections. */
export function document(
  { description, verdict, notes, ...of }: Document & ({ readonly contest: string } | { readonly suite: string }),
  ranked: readonly string[],
  more: readonly string[],
): string {
  const lines = [`# ${cell('suite' in of ? of.suite : of.contest)}`, '']
  if (description !== null) lines.push(cell(description), '')
  if (verdict !== null) lines.push(`**${paragraph(verdict.sentence)}**`, '')
  lines.push(...ranked, '', ...notes.map((note) => `- ${cell(note)}`), '', ...more, '')
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}

/** Returns a section with a table; nothing without rows. */
export function section<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : [`## ${title}`, '', ...markdownTable(columns, rows), '']
}

/** Returns the other rankings of the same work. */
export function boardSection(summary: OnBoards): string[] {
  const { boards } = summary
  if (boards.length === 0) return []
  return [
    ...section('Other rankings of the same work', boardColumns(summary), onBoards(summary)),
    ...styleWords(boards).flatMap((each) => [cell(each), '']),
  ]
}

export function agreementSection(agreement: Summary['agreement']): string[] {
  return section('How much judges agree', agreementColumns, agreement)
}

function yourSection({ you }: Summary): string[] {
  if (you === null) return []
  const table = you.agreement.length === 0 ? [] : markdownTable(yourColumns, you.agreement)
  return ['## You', '', `${yourWords(you)} Your answers do not affect the ranking.`, '', ...table, '']
}

function missing({ notRanked }: Summary): string[] {
  const list = (title: string, all: readonly NotRanked[]): string[] => (all.length === 0 ? [] : [`## ${title}`, '', ...all.map(missed), ''])
  return [
    ...list(
      'Could not be run (says nothing about the work)',
      notRanked.filter((each) => each.failedToRun),
    ),
    ...list(
      'Ran, but delivered nothing that counts',
      notRanked.filter((each) => !each.failedToRun),
    ),
  ]
}

function missed(each: NotRanked): string {
  const again = againWords(each)
  return `- **${cell(each.name)}** (${cell(agentWords(each))}): ${cell(endedWords(each))}${again === null ? '' : ` – ${cell(again)}`}`
}
