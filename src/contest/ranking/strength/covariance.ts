import type { Estimate } from './estimate.ts'
import { Matrix } from './matrix.ts'

/** The minimum number of clusters for which their differences can be estimated. */
const leastClusters = 3

/**
 * Returns the covariances of strengths and then coefficients, from the differences between clusters: V = G/(G−1) Σ u uᵀ over the influences
 * u of G clusters (Liang and Zeger, Biometrika 73, 1986, with the correction for few clusters). Returns null for fewer than three clusters.
 */
export function covariances({ influences }: Estimate): Matrix | null {
  const g = influences.length
  if (g < leastClusters) return null
  const result = new Matrix(influences[0]?.length ?? 0)
  for (const u of influences)
    for (const [row, left] of u.entries()) for (const [column, right] of u.entries()) result.add(row, column, (g / (g - 1)) * left * right)
  return result
}

/** Returns the standard error of a sum of the parameters, each times its factor. */
export function errorOf(covariance: Matrix, factors: readonly number[]): number {
  const variance = covariance.times(factors).reduce((sum, value, row) => sum + value * (factors[row] ?? 0), 0)
  return Math.sqrt(Math.max(0, variance))
}

/** Returns the standard error of the difference between two strengths. */
export function errorOfDifference(covariance: Matrix, a: number, b: number): number {
  return Math.sqrt(Math.max(0, covariance.at(a, a) + covariance.at(b, b) - 2 * covariance.at(a, b)))
}
