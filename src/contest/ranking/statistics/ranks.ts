import type { Estimate } from './estimate.ts'
import { seeded } from './random.ts'
import { studentQuantile } from './student.ts'
import { covariances, errorOfDifference } from './uncertainty.ts'

/** Under so many clusters flipped signs are too few, and the bound of Bonferroni is taken. */
const leastForFlips = 8

export interface RankOptions {
  readonly seed: number
  /** How often signs are flipped. */
  readonly draws?: number
}

/** The ranks that a participant may have, with 95% certainty for all of them together; the best is 1. */
export interface RankRange {
  readonly from: number
  readonly to: number
}

export interface Ranks {
  /** How many standard errors a difference needs, so that all such differences together are right with 95% certainty. */
  readonly critical: number
  readonly ranges: readonly RankRange[]
  /** Whether the first is surely better than the second, by place. */
  surelyBetter(first: number, second: number): boolean
  /** About how many clusters would tell two apart, if they go on to differ as they do; null: they do not differ. */
  clustersToSettle(first: number, second: number): number | null
}

/** Returns what is certain of the order; null under three clusters. */
export function ranksOf(estimate: Estimate, options: RankOptions): Ranks | null {
  const v = covariances(estimate)
  if (v === null) return null
  const { strengths, influences } = estimate
  const critical = criticalValue(estimate, options)
  const difference = (first: number, second: number): number => (strengths[first] ?? 0) - (strengths[second] ?? 0)
  const surelyBetter = (first: number, second: number): boolean =>
    first !== second && difference(first, second) > critical * errorOfDifference(v, first, second)
  const all = strengths.map((_, place) => place)
  return {
    critical,
    surelyBetter,
    ranges: all.map((place) => ({
      from: 1 + all.filter((other) => surelyBetter(other, place)).length,
      to: strengths.length - all.filter((other) => surelyBetter(place, other)).length,
    })),
    clustersToSettle(first, second) {
      const d = difference(first, second)
      return d === 0 ? null : Math.ceil(influences.length * ((critical * errorOfDifference(v, first, second)) / d) ** 2)
    },
  }
}

/**
 * The 95% quantile of the largest |t| over all pairs, where the sign of each cluster's influence is flipped at random and each t has the standard
 * error of its own draw (Romano and Wolf 2005; signs instead of draws, Liu 1988).
 */
function criticalValue({ strengths, influences }: Estimate, { seed, draws = 2_000 }: RankOptions): number {
  const [n, g] = [strengths.length, influences.length]
  const pairs = (n * (n - 1)) / 2
  if (g < leastForFlips || pairs === 0) return studentQuantile(1 - 0.025 / Math.max(1, pairs), g - 1)
  const squares = new Float64Array(n * n)
  for (const u of influences)
    for (let a = 0; a < n; a += 1)
      for (let b = 0; b < a; b += 1) squares[a * n + b] = (squares[a * n + b] ?? 0) + ((u[a] ?? 0) - (u[b] ?? 0)) ** 2
  const next = seeded(seed)
  const largest = Array.from({ length: draws }, () => {
    const sums = new Float64Array(n)
    for (const u of influences) {
      const sign = next() < 0.5 ? -1 : 1
      for (let a = 0; a < n; a += 1) sums[a] = (sums[a] ?? 0) + sign * (u[a] ?? 0)
    }
    let most = 0
    for (let a = 0; a < n; a += 1)
      for (let b = 0; b < a; b += 1) {
        const d = (sums[a] ?? 0) - (sums[b] ?? 0)
        // Squares do not change with signs; only their mean does.
        const variance = (g / (g - 1)) * ((squares[a * n + b] ?? 0) - (d * d) / g)
        const t = (d * d) / variance
        if (variance > 0 && t > most) most = t
      }
    return Math.sqrt(most)
  }).sort((x, y) => x - y)
  return largest[Math.ceil(0.95 * draws) - 1] ?? Number.POSITIVE_INFINITY
}
