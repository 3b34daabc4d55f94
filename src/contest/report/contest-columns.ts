import { formatCost, formatDuration } from '../../base/quantities.ts'
import type { Ranked, Summary } from '../ranking/contest-summary.ts'
import { type Column, numeric } from './draw-tables.ts'
import { html } from './page/markup.ts'
import { agentLine, state } from './page/page-parts.ts'
import { axis, interval } from './page/plots.ts'
import {
  agreementWords,
  boardWords,
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
  type OnBoards,
  yourAgreementWords,
} from './result-text.ts'
import { boardNames } from './shared-words.ts'

type Judge = Summary['judges'][number]
/** A place in a leaderboard. `spread`: only a contest has one. */
type Placed = Pick<Ranked, 'rank' | 'name' | 'agent' | 'model' | 'score' | 'interval' | 'strength'> & { readonly spread?: Ranked['spread'] }
interface Used extends Pick<Ranked, 'durationMs' | 'costUsd'> {
  readonly tokens: Pick<NonNullable<Ranked['tokens']>, 'input' | 'output'> | null
}

export function agentWords({ agent, model }: { readonly agent: string; readonly model: string | null }): string {
  return model === null ? agent : `${agent} (${model})`
}

/** The columns that a contest and a suite share: the place, the name and the score. `interval95`: the head of the column with the interval. */
export function placeColumns(by: Summary['rankedBy'], interval95: Column<never>['head']): readonly Column<Placed>[] {
  const score = by === 'checks' ? 'Checks passed, %' : 'Score'
  return [
    { head: { terminal: 'rank', markdown: '#', page: '#' }, text: formatRank, sort: ({ rank }) => rank, class: 'rank' },
    {
      head: { terminal: 'participant', markdown: 'Participant', page: 'Participant' },
      text: ({ name }) => name,
      html: agentLine,
      isBold: true,
    },
    { head: { markdown: 'Agent' }, text: agentWords },
    {
      head: { terminal: 'score', markdown: score, page: score },
      text: (each) => formatScore(each.score),
      sort: (each) => each.score,
      ...{ class: 'score n', headClass: 'n' },
    },
    {
      head: interval95,
      text: (each) => formatSpread(each.interval),
      html: (each) =>
        html`${interval({ ...each, spread: each.spread ?? null })}${each.score === null ? null : html`<span class="phone">${axis()}</span>`}`,
      headMark: axis(),
      ...{ class: 'wide', headClass: 'fixed' },
    },
  ]
}

/** The columns of what a run took. `total`: whether it is the sum of several. */
export function usedColumns(total = false): readonly Column<Used>[] {
  const named = (name: string): { terminal: string; markdown: string; page: string } => {
    const lower = total ? `total ${name}` : name
    const upper = lower.charAt(0).toUpperCase() + lower.slice(1)
    return { terminal: lower, markdown: upper, page: upper }
  }
  const { terminal: _, page: __, ...tokens } = named('tokens')
  return [
    {
      head: named('time'),
      text: ({ durationMs }) => (durationMs === null ? '–' : formatDuration(durationMs)),
      sort: ({ durationMs }) => durationMs,
      ...{ class: 'n hide', headClass: 'n' },
    },
    {
      head: total ? tokens : named('tokens'),
      text: ({ tokens }) => formatTokens(tokens),
      sort: ({ tokens }) => (tokens === null ? null : tokens.input + tokens.output),
      ...{ class: 'n hide rare', headClass: 'n rare' },
    },
    { head: named('cost'), text: ({ costUsd }) => formatCost(costUsd), sort: ({ costUsd }) => costUsd, ...numeric, label: 'Cost' },
  ]
}

/** The leaderboard of a contest. */
export function leaderboardColumns({ ranking, rankedBy }: Pick<Summary, 'ranking' | 'rankedBy'>): readonly Column<Ranked>[] {
  const plotted = ranking.some((each) => each.interval !== null) ? '95% interval' : 'Range over judges'
  return [
    ...placeColumns(rankedBy, { markdown: '95% interval', page: plotted }),
    {
      head: { terminal: 'judges', markdown: 'Range over judges', page: 'Judges' },
      text: ({ spread }) => formatSpread(spread),
      sort: ({ spread }) => spread?.min ?? null,
      ...{ class: 'n hide rare', headClass: 'n rare' },
    },
    {
      head: { terminal: 'checks', markdown: 'Checks', page: 'Checks' },
      text: ({ checks }) => formatChecks(checks),
      sort: ({ checks }) => checks.share,
      ...numeric,
      label: 'Checks',
    },
    ...usedColumns(),
    { head: 'How it ended', text: endedWords, class: 'wide ended' },
  ]
}

/** The other rankings of the same work, by participant. */
export function boardColumns({ boards }: Pick<OnBoards, 'boards'>): readonly Column<string>[] {
  return [
    { head: 'Participant', text: (name) => name },
    ...boards.map((each) => ({ head: boardNames[each.id], text: (name: string) => boardWords(each, name) })),
  ]
}

/** Who beats whom: the row against each column. */
export function meetingColumns(summary: Pick<Summary, 'ranking' | 'pairs' | 'judges'>): readonly Column<Ranked>[] {
  const compared = comparisonsThatCount(summary)
  return [
    { head: 'Participant', text: ({ name }) => name },
    ...summary.ranking.map((other) => ({
      head: other.name,
      text: ({ name }: Ranked) => meetingWords(name, other.name, compared),
      ...numeric,
    })),
  ]
}

interface Judgement {
  readonly name: string
  readonly judgement: Ranked['judgements'][number]
}

/** The scores by judge and dimension. The page groups them by participant. */
export function dimensionColumns({ dimensions }: Pick<Summary, 'dimensions'>): readonly Column<Judgement>[] {
  return [
    { head: { markdown: 'Participant' }, text: ({ name }) => name },
    { head: { markdown: 'Judge' }, text: ({ judgement }) => judgement.judge },
    ...dimensions.map(({ id, weight }) => ({
      head: { markdown: `${id} ×${weight}` },
      text: ({ judgement }: Judgement) => formatNumber(judgement.dimensions[id]),
    })),
    { head: { markdown: 'Score' }, text: ({ judgement }) => formatScore(judgement.score) },
  ]
}

export const agreementColumns: readonly Column<Summary['agreement'][number]>[] = [
  { head: 'Dimension', text: ({ dimension }) => dimension },
  { head: 'Agreement', text: agreementWords },
  { head: { markdown: 'Krippendorff’s α (ordinal)', page: 'Alpha' }, text: ({ alpha }) => alpha?.ordinal.toFixed(2) ?? '–', ...numeric },
  { head: 'Submissions', text: ({ n }) => String(n), ...numeric },
]

export const yourColumns: readonly Column<NonNullable<Summary['you']>['agreement'][number]>[] = [
  { head: 'Judge', text: ({ judge }) => judge },
  { head: 'Agrees with you', text: yourAgreementWords },
  { head: { markdown: 'Cohen’s κ (linear)', page: 'Kappa' }, text: ({ kappa }) => kappa?.toFixed(2) ?? '–', ...numeric },
  { head: { markdown: 'Comparisons' }, text: ({ n }) => String(n) },
]

/** The result of each check on each submission. */
export function checkColumns({ ranking }: Pick<Summary, 'ranking'>): readonly Column<Ranked>[] {
  const marks = { passed: 'good', failed: 'bad', 'could-not-run': 'none' } as const
  const words = { passed: 'passed', failed: 'failed', 'could-not-run': 'could not run' }
  const names = [...new Set(ranking.flatMap((each) => each.checks.results.map((one) => one.name)))]
  return [
    { head: 'Participant', text: ({ name }) => name },
    ...names.map((name): Column<Ranked> => {
      const found = ({ checks }: Ranked) => checks.results.find((one) => one.name === name)
      return {
        head: name,
        text(row) {
          const one = found(row)
          return one === undefined ? '–' : one.why === null ? words[one.result] : `${words[one.result]} (${one.why})`
        },
        html(row) {
          const one = found(row)
          if (one === undefined) return html`–`
          return html`${state(marks[one.result], words[one.result])}${one.why === null ? null : html`<br><span class="soft small">${one.why}</span>`}`
        },
      }
    }),
  ]
}

/** The judges, in the Markdown report; the page shows a card for each. */
export const judgeColumns: readonly Column<Judge>[] = [
  { head: { markdown: 'Judge' }, text: ({ name }) => name },
  { head: { markdown: 'Agent' }, text: agentWords },
  {
    head: { markdown: 'State' },
    text: ({ state, why, hint }) =>
      state === 'scored' ? 'scored' : `${state}${why === null ? '' : `: ${why}`}${hint === null ? '' : ` – ${hint}`}`,
  },
  ...usedColumns(),
  { head: { markdown: 'Beside the other judges' }, text: cardWords },
  { head: { markdown: 'Its labels' }, text: labelWords },
]
