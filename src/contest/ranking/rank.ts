import type { ContestConfig } from '../config/contest-schema.ts'
import type { Certainty, TierOf } from './certainty.ts'
import type { Ranked, Summary } from './contest-summary.ts'

/**
 * Returns rows with their places in the order, best first: by tier, then by strength or, if nobody has a strength, by score. Equal rows
 * share the better rank. Rows that are not compared have no rank and come last, by score and name. `certainty` is null if there are no
 * judges.
 */
export function ranked<T extends { readonly name: string; readonly score: number | null }>(
  rows: readonly T[],
  certainty: Pick<Certainty, 'standings'> | null,
  tierOf: TierOf = () => 0,
): (T & Pick<Ranked, 'rank' | 'score' | 'interval' | 'strength'>)[] {
  const unknown = { interval: null, strength: null }
  const all = rows.map((row) => ({ ...row, ...unknown, ...certainty?.standings.get(row.name) }))
  const isCompared = ({ score, strength }: (typeof all)[number]): boolean => (certainty === null ? score !== null : strength !== null)
  const keyOf = ({ score, strength }: (typeof all)[number]): number => strength?.estimate ?? score ?? 0
  const compare = (a: (typeof all)[number], b: (typeof all)[number]): number => tierOf(a.name) - tierOf(b.name) || keyOf(b) - keyOf(a)
  const sorted = all.filter(isCompared).toSorted((a, b) => compare(a, b) || (a.name < b.name ? -1 : 1))
  const last = all.filter((row) => !isCompared(row)).toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1) || (a.name < b.name ? -1 : 1))
  return [
    ...sorted.map((row) => ({ ...row, rank: 1 + sorted.filter((other) => compare(other, row) < 0).length })),
    ...last.map((row) => ({ ...row, rank: null })),
  ]
}

/** Returns tiers by the share of checks that each participant passed. */
export function tiersByChecks(rows: readonly Pick<Ranked, 'name' | 'checks'>[]): TierOf {
  const shares = [...new Set(rows.map(({ checks }) => checks.share ?? -1))].toSorted((a, b) => b - a)
  const tiers = new Map(rows.map(({ name, checks }) => [name, shares.indexOf(checks.share ?? -1)]))
  return (name) => tiers.get(name) ?? shares.length
}

/** Returns the basis of a ranking. */
export function rankedBy(ranking: readonly Ranked[], judged: boolean, wanted: ContestConfig['ranking']['by']): Summary['rankedBy'] {
  const hasChecks = ranking.some((each) => each.checks.share !== null)
  if (judged) return wanted === 'checks-then-judges' && hasChecks ? wanted : 'judges'
  return hasChecks ? 'checks' : 'nothing'
}
