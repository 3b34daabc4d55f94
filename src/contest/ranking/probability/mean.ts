import { studentQuantile, studentTwoSided } from './student.ts'

/** A mean over clusters. */
export interface Mean {
  readonly mean: number
  readonly clusters: number
  /**
   * The 95% interval of the mean, and the two-sided probability of a mean this far from zero if the true mean is zero. Null for fewer than
   * three clusters.
   */
  readonly interval: { readonly low: number; readonly high: number; readonly p: number } | null
}

/**
 * Returns the mean of one value for each cluster, with Student's interval and test; null without values. The standard error is at least
 * `leastError`, because values may be equal only because their scale is coarse.
 */
export function meanOf(values: readonly number[], leastError = 0): Mean | null {
  const n = values.length
  if (n === 0) return null
  const mean = values.reduce((sum, each) => sum + each, 0) / n
  if (n < 3) return { mean, clusters: n, interval: null }
  const error = Math.max(leastError, Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (n - 1) / n))
  const half = studentQuantile(0.975, n - 1) * error
  return { mean, clusters: n, interval: { low: mean - half, high: mean + half, p: probability(mean, error, n) } }
}

function probability(mean: number, error: number, n: number): number {
  // Smaller means are rounding errors.
  return Math.abs(mean) <= 1e-9 ? 1 : studentTwoSided(mean / error, n - 1)
}
