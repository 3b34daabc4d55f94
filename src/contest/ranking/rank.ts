import type { ContestConfig } from '../config/contest-schema.ts'
import type { TierOf } from './certainty.ts'
import type { Ranked, Summary } from './contest-summary.ts'

/**
 * Returns rows with ranks, best first: by tier, then by strength or, without a strength, by score. Equal rows share the better rank. Rows
 * without a score come last, by name.
 */
export function ranked<T extends Pick<Ranked, 'name' | 'score' | 'strength'>>(
  rows: readonly T[],
  tierOf: TierOf = () => 0,
): (T & Pick<Ranked, 'rank'>)[] {
  const compare = (a: T, b: T): number => tierOf(a.name) - tierOf(b.name) || placeBy(b) - placeBy(a)
  const sorted = rows.toSorted((a, b) => compare(a, b) || (a.name < b.name ? -1 : 1))
  return sorted.map((row) => ({
    ...row,
    rank: row.score === null ? null : 1 + sorted.filter((other) => compare(other, row) < 0).length,
  }))
}

/** Returns tiers by the share of checks that each participant passed. */
export function tiersByChecks(rows: readonly Pick<Ranked, 'name' | 'checks'>[]): TierOf {
  const shares = [...new Set(rows.map(({ checks }) => checks.share ?? -1))].toSorted((a, b) => b - a)
  const tiers = new Map(rows.map(({ name, checks }) => [name, shares.indexOf(checks.share ?? -1)]))
  return (name) => tiers.get(name) ?? shares.length
}

/** Returns a finite sort key, so that two keys can be subtracted. */
function placeBy({ score, strength }: Pick<Ranked, 'score' | 'strength'>): number {
  return score === null ? -Number.MAX_VALUE : (strength?.estimate ?? score)
}

/** Returns the basis of a ranking. */
export function rankedBy(ranking: readonly Ranked[], judged: boolean, wanted: ContestConfig['ranking']): Summary['rankedBy'] {
  const hasChecks = ranking.some((each) => each.checks.share !== null)
  if (judged) return wanted === 'checks-then-judges' && hasChecks ? wanted : 'judges'
  return hasChecks ? 'checks' : 'nothing'
}
