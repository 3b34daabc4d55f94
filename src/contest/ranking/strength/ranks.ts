import { studentCritical, studentTwoSided } from '../probability/student.ts'
import { criticalValue, type FlipOptions, leastForFlips } from './critical-value.ts'
import { type Differences, differencesOf } from './differences.ts'
import type { Estimate } from './estimate.ts'

/** The ranks that a participant may have, 1 being the best. The ranges of all participants are jointly correct with 95% confidence. */
export interface RankRange {
  readonly from: number
  readonly to: number
}

/** The significant part of the order. Participants are identified by their indices. */
export interface Ranks {
  /** Returns by how many standard errors these two must differ to be significantly different, if all pairs are compared. */
  criticalOf(first: number, second: number): number
  readonly ranges: readonly RankRange[]
  surelyBetter(first: number, second: number): boolean
}

/**
 * Returns which participants are significantly better than which, and the possible ranks: from 1 + the number of significantly better ones,
 * to n − the number of significantly worse ones. Each pair has the degrees of freedom of its own difference. Returns null for fewer than
 * three clusters.
 */
export function ranksOf(estimate: Estimate, options: FlipOptions): Ranks | null {
  const differences = differencesOf(estimate)
  if (differences === null) return null
  const criticalOf = criticalByPair(estimate, differences, options)
  const surelyBetter = (first: number, second: number): boolean => {
    const d = differences.of(first, second)
    return d > 0 && d > criticalOf(first, second) * differences.errorOf(first, second)
  }
  return { criticalOf, surelyBetter, ranges: rangesOf(estimate.strengths.length, surelyBetter) }
}

/** Returns the same critical probability for all pairs, as the critical value for the degrees of freedom of each. */
function criticalByPair(estimate: Estimate, { clusters, participants, degreesOf }: Differences, options: FlipOptions): Ranks['criticalOf'] {
  const pairs = Math.max(1, (participants * (participants - 1)) / 2)
  const tail = clusters < leastForFlips ? 0.05 / pairs : studentTwoSided(criticalValue(estimate, options), clusters - 1)
  const known = new Map<number, number>()
  return (first, second) => {
    const degrees = degreesOf(first, second)
    const found = known.get(degrees) ?? (degrees > 0 && tail > 0 ? studentCritical(tail, degrees) : Number.POSITIVE_INFINITY)
    known.set(degrees, found)
    return found
  }
}

/**
 * Returns the ranks that each participant may have if one of a better tier (a smaller number) comes first regardless of its strength. Within
 * a tier, strengths decide, and without `ranks` nothing does.
 */
export function tieredRanges(ranks: Pick<Ranks, 'surelyBetter'> | null, tiers: readonly number[]): RankRange[] {
  const tierOf = (place: number): number => tiers[place] ?? 0
  return rangesOf(tiers.length, (first, second) =>
    tierOf(first) === tierOf(second) ? ranks?.surelyBetter(first, second) === true : tierOf(first) < tierOf(second),
  )
}

function rangesOf(count: number, surelyBetter: Ranks['surelyBetter']): RankRange[] {
  const places = Array.from({ length: count }, (_, place) => place)
  return places.map((place) => ({
    from: 1 + places.filter((other) => surelyBetter(other, place)).length,
    to: count - places.filter((other) => surelyBetter(place, other)).length,
  }))
}
