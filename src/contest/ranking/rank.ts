import type { Ranked, Summary } from '../report/summary.ts'

/** Best first; equal scores share the better rank; those without a score come last, by name. */
export function ranked(rows: readonly Ranked[]): Ranked[] {
  const sorted = rows.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1) || (a.name < b.name ? -1 : 1))
  return sorted.map((row) => ({
    ...row,
    rank: row.score === null ? null : 1 + sorted.filter((other) => other.score !== null && other.score > (row.score ?? 0)).length,
  }))
}

/** Returns what a ranking is by. */
export function rankedBy(ranking: readonly Ranked[], judged: boolean): Summary['rankedBy'] {
  if (judged) return 'judges'
  return ranking.some((each) => each.score !== null) ? 'checks' : 'nothing'
}
