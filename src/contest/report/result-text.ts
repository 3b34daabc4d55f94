import { type Compared, comparedOf, meetingOf } from '../ranking/compared-pairs.ts'
import type { Board, NotRanked, Ranked, Strength, Summary } from '../ranking/contest-summary.ts'
import type { Outcome } from '../state/participant-outcome.ts'
import { cardRows } from './shared-words.ts'

/** Texts that the leaderboard, the page and the terminal share. */

export function formatScore(score: number | null): string {
  return score === null ? '–' : score.toFixed(1)
}

export function formatSpread(spread: Ranked['spread']): string {
  return spread === null ? '–' : `${spread.min.toFixed(1)}–${spread.max.toFixed(1)}`
}

/** Returns the ranks that a submission may have, such as 1–3, or the rank of its score if there is no interval. */
export function formatRank({ rank, strength }: Pick<Ranked, 'rank'> & { readonly strength: Pick<Strength, 'ranks'> | null }): string {
  const ranks = strength?.ranks ?? null
  if (ranks === null) return rank === null ? '–' : String(rank)
  return ranks.from === ranks.to ? String(ranks.from) : `${ranks.from}–${ranks.to}`
}

/** Returns the rank and score of a participant in another ranking. */
export function boardWords({ rows }: Board, name: string): string {
  const row = rows.find((each) => each.name === name)
  return row === undefined ? '–' : `${formatRank({ rank: row.rank, strength: row })} (${formatScore(row.score)})`
}

/** Returns the comparisons that count: those of judges that failed no control. */
export function comparisonsThatCount({ pairs, judges }: Pick<Summary, 'pairs' | 'judges'>): Compared[] {
  const failed = new Set(
    judges.filter(({ card }) => card?.caught.some((each) => each === 'planted' || each === 'empty')).map(({ name }) => name),
  )
  return comparedOf(pairs.filter(({ judge }) => !failed.has(judge)))
}

/** A ranking, and other rankings of the same work. */
export interface OnBoards {
  readonly ranking: readonly { readonly name: string }[]
  readonly boards: readonly Board[]
}

/** Returns the effect of each trait, as one sentence for each. */
export function styleWords(boards: readonly Board[]): string[] {
  const traits = { lines: 'lines', files: 'files', words: 'words' }
  return boards.flatMap(({ style }) =>
    style.map(({ trait, worth, interval }) => {
      const sure = interval === null ? '' : `, from ${interval.min.toFixed(2)} to ${interval.max.toFixed(2)} with 95% certainty`
      return `Judges ${worth < 0 ? 'penalize' : 'reward'} more ${traits[trait]} than in the other submission: ${worth.toFixed(2)} in log odds for a typical difference${sure}.`
    }),
  )
}

/** Returns every participant in any of the rankings, in the order of the one that counts. */
export function onBoards({ ranking, boards }: OnBoards): string[] {
  return [...new Set([...ranking, ...boards.flatMap(({ rows }) => rows)].map(({ name }) => name))]
}

/** Returns the observations about a judge as one line. */
export function cardWords(judge: Pick<Summary['judges'][number], 'card'>): string {
  return cardRows(judge)
    .map(({ what, words, isCaught }) => `${what.toLowerCase()}: ${words}${isCaught ? ' (caught)' : ''}`)
    .join('; ')
}

/** Returns the share of comparisons that one participant won against another, and the number of them that depended on the order. */
export function meetingWords(a: string, b: string, compared: readonly Compared[]): string {
  const meeting = meetingOf(a, b, compared)
  if (meeting === null) return '–'
  const { comparisons, won, flips } = meeting
  const share = `${Math.round((100 * won) / comparisons)}%`
  return flips === 0 ? share : `${share} (${flips} of ${comparisons} depend on the order)`
}

/**
 * Returns how much judges agree in a dimension on the order of submissions, as text: by the mean rank correlation of two judges, which a
 * mild judge does not lower, or by α if no submission was scored by all judges.
 */
export function agreementWords({ n, tooFew, alpha, rankCorrelation }: Summary['agreement'][number]): string {
  if (n === 0) return 'no two judges scored the same submissions'
  if (alpha === null) return 'all scores are the same'
  const value = rankCorrelation ?? alpha.ordinal
  const words = value >= 0.7 ? 'good' : value >= 0.5 ? 'fair' : value >= 0.2 ? 'low' : 'none'
  return tooFew ? `${words}, but too few submissions to tell` : words
}

type Yours = NonNullable<Summary['you']>

/** Returns your progress and consistency as a judge, as sentences. */
export function yourWords({ answered, of, compared, consistent }: Pick<Yours, 'answered' | 'of' | 'compared' | 'consistent'>): string {
  const steady = compared === 0 ? '' : ` You judged ${consistent} of ${compared} pairs alike in both orders.`
  return `You gave ${answered} of ${of} answers.${steady}`
}

/** Returns, as text, how many comparisons a judge decided as you did. */
export function yourAgreementWords({ n, agreed, tooFew }: Yours['agreement'][number]): string {
  if (n === 0) return 'no pair was compared by both'
  return `in ${agreed} of ${n} comparisons (${Math.round((100 * agreed) / n)}%)${tooFew ? ', too few to tell' : ''}`
}

export function formatNumber(value: number | undefined): string {
  if (value === undefined) return '–'
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}

export function formatTokens(tokens: { readonly input: number; readonly output: number } | null): string {
  if (tokens === null) return '–'
  // `input` includes tokens read from the cache.
  return `${compact(tokens.input)} in, ${compact(tokens.output)} out`
}

export function formatChecks(checks: Ranked['checks']): string {
  return checks.results.length === 0 ? '–' : `${checks.passed}/${checks.counted}`
}

/** Returns the outcome of a participant as text, with the attempt if it was not the first. */
export function endedWords({ outcome, attempts }: Pick<NotRanked, 'outcome' | 'attempts'>): string {
  if (outcome === null)
    // Only the contest's lock distinguishes the two, and a report does not take the lock.
    return attempts === 0 ? 'was never run' : `was interrupted or is still at work (attempt ${attempts})`
  return `${outcomeWords(outcome)}${attempts > 1 ? ` (attempt ${attempts})` : ''}`
}

function outcomeWords(outcome: Outcome): string {
  const { exitCode, message } = outcome
  if (outcome.kind === 'delivered') return message === null ? 'delivered' : `delivered, but ${message}`
  return `${outcome.kind.replaceAll('-', ' ')}${message === null ? (exitCode ? ` (exit code ${exitCode})` : '') : `: ${message}`}`
}

/** Returns the participants behind a judge's labels, as one line. */
export function labelWords({ labels }: Summary['judges'][number]): string {
  return Object.entries(labels ?? {})
    .map(([label, participant]) => `${label} = ${participant}`)
    .join(', ')
}

export function againWords({ outcome }: NotRanked): string | null {
  if (outcome === null) return null
  const reset = outcome.resetsAt === null ? null : `available again at ${new Date(outcome.resetsAt).toISOString()}`
  return [outcome.hint, reset].filter((each) => each !== null).join('; ') || null
}

function compact(count: number): string {
  if (count < 10_000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(0)}k` : `${(count / 1_000_000).toFixed(1)}M`
}
