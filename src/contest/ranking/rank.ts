import type { Ranked, Summary } from '../report/summary.ts'

/** Best first, by strength or, without it, by score; equals share the better rank; those without a score come last, by name. */
export function ranked<T extends Pick<Ranked, 'name' | 'score' | 'strength'>>(rows: readonly T[]): (T & Pick<Ranked, 'rank'>)[] {
  const sorted = rows.toSorted((a, b) => placeBy(b) - placeBy(a) || (a.name < b.name ? -1 : 1))
  return sorted.map((row) => ({
    ...row,
    rank: row.score === null ? null : 1 + sorted.filter((other) => placeBy(other) > placeBy(row)).length,
  }))
}

/** Finite, so that two of them can be subtracted. */
function placeBy({ score, strength }: Pick<Ranked, 'score' | 'strength'>): number {
  return score === null ? -Number.MAX_VALUE : (strength?.estimate ?? score)
}

/** Returns what a ranking is by. */
export function rankedBy(ranking: readonly Ranked[], judged: boolean): Summary['rankedBy'] {
  if (judged) return 'judges'
  return ranking.some((each) => each.score !== null) ? 'checks' : 'nothing'
}
