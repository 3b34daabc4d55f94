import { covariances, errorOfDifference } from './covariance.ts'
import type { Estimate } from './estimate.ts'

/** The differences between the strengths of two participants, which are identified by their indices, and how certain they are. */
export interface Differences {
  /** The number of participants. */
  readonly participants: number
  /** The number of clusters. */
  readonly clusters: number
  /** Returns how much stronger the first one is. Differences of rounding errors are 0. */
  of(first: number, second: number): number
  /** Returns the standard error, at least the one that there is if all clusters agree (`coarse` of the estimate). */
  errorOf(first: number, second: number): number
  /** Returns the degrees of freedom of the standard error. */
  degreesOf(first: number, second: number): number
  /** Returns true if all clusters show the same difference, so that only the steps of the scale leave it open. */
  isUniform(first: number, second: number): boolean
}

/** The largest difference that is treated as a rounding error. */
const noise = 1e-9

/** Returns the differences between strengths; null for fewer than three clusters. */
export function differencesOf(estimate: Estimate): Differences | null {
  const covariance = covariances(estimate)
  if (covariance === null) return null
  const { strengths, coefficients, coarse, influences } = estimate
  const [n, size] = [strengths.length, strengths.length + coefficients.length]
  const degrees = new Map<number, number>()
  const of = (first: number, second: number): number => {
    const d = (strengths[first] ?? 0) - (strengths[second] ?? 0)
    return Math.abs(d) <= noise ? 0 : d
  }
  return {
    participants: n,
    clusters: influences.length,
    of,
    errorOf: (first, second) => Math.max(errorOfDifference(covariance, first, second), errorOfDifference(coarse, first, second)),
    degreesOf(first, second) {
      const key = Math.min(first, second) * n + Math.max(first, second)
      const known = degrees.get(key)
      if (known !== undefined) return known
      const contrast = Array.from({ length: size }, (_, place) => Number(place === first) - Number(place === second))
      const found = estimate.degreesOf(contrast)
      degrees.set(key, found)
      return found
    },
    isUniform: (first, second) => of(first, second) !== 0 && errorOfDifference(covariance, first, second) <= noise,
  }
}
