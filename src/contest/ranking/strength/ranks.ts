import { covariances, errorOfDifference } from './covariance.ts'
import { criticalValue, type FlipOptions } from './critical-value.ts'
import type { Estimate } from './estimate.ts'

/** The ranks that a participant may have, 1 being the best. The ranges of all participants are jointly correct with 95% confidence. */
export interface RankRange {
  readonly from: number
  readonly to: number
}

/** The significant part of the order. Participants are identified by their indices. */
export interface Ranks {
  /** The number of standard errors by which two participants must differ to be significantly different. */
  readonly critical: number
  readonly ranges: readonly RankRange[]
  surelyBetter(first: number, second: number): boolean
  /**
   * Returns about how many clusters would separate two participants if their difference persists: G(c·se/d)². Null if they do not differ.
   */
  clustersToSettle(first: number, second: number): number | null
  /** Returns true if all clusters show the same difference, so that only the steps of the scale leave it open. */
  isUniform(first: number, second: number): boolean
}

/** The largest difference that is treated as a rounding error. */
const noise = 1e-9

/**
 * Returns which participants are significantly better than which, and the possible ranks: from 1 + the number of significantly better ones,
 * to n − the number of significantly worse ones. The standard error of a difference is at least the one that the steps of the scale cause,
 * because the same coarse difference in a few briefs proves nothing. Returns null for fewer than three clusters.
 */
export function ranksOf(estimate: Estimate, options: FlipOptions): Ranks | null {
  const covariance = covariances(estimate)
  if (covariance === null) return null
  const { strengths, influences, rounding } = estimate
  const critical = criticalValue(estimate, options)
  const difference = (first: number, second: number): number => (strengths[first] ?? 0) - (strengths[second] ?? 0)
  const needed = (first: number, second: number): number =>
    critical * Math.max(errorOfDifference(covariance, first, second), rounding === null ? 0 : errorOfDifference(rounding, first, second))
  const surelyBetter = (first: number, second: number): boolean => {
    const d = difference(first, second)
    return d > noise && d > needed(first, second)
  }
  return {
    critical,
    surelyBetter,
    ranges: rangesOf(strengths.length, surelyBetter),
    clustersToSettle(first, second) {
      const d = Math.abs(difference(first, second))
      return d <= noise ? null : Math.ceil(influences.length * (needed(first, second) / d) ** 2)
    },
    isUniform: (first, second) => Math.abs(difference(first, second)) > noise && errorOfDifference(covariance, first, second) <= noise,
  }
}

/**
 * Returns ranks in which a participant of a better tier (a smaller number) comes first regardless of its strength. Within a tier, strengths
 * decide.
 */
export function tieredRanks(ranks: Ranks, tiers: readonly number[]): Ranks {
  const tierOf = (place: number): number => tiers[place] ?? 0
  const surelyBetter = (first: number, second: number): boolean =>
    tierOf(first) === tierOf(second) ? ranks.surelyBetter(first, second) : tierOf(first) < tierOf(second)
  return { ...ranks, surelyBetter, ranges: rangesOf(ranks.ranges.length, surelyBetter) }
}

function rangesOf(count: number, surelyBetter: Ranks['surelyBetter']): RankRange[] {
  const places = Array.from({ length: count }, (_, place) => place)
  return places.map((place) => ({
    from: 1 + places.filter((other) => surelyBetter(other, place)).length,
    to: count - places.filter((other) => surelyBetter(place, other)).length,
  }))
}
