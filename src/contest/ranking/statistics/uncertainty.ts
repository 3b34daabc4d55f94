import type { Estimate } from './estimate.ts'
import { Matrix } from './matrix.ts'
import { studentQuantile } from './student.ts'

/** Fewer clusters say nothing about how much they differ. */
export const leastClusters = 3

/**
 * Covariances of what was estimated, from how much the clusters disagree: V = G/(G−1) Σ u uᵀ over the influences u of G clusters (Liang and Zeger 1986,
 * with the small-sample factor). Null under three clusters.
 */
export function covariances({ influences }: Estimate): Matrix | null {
  const g = influences.length
  if (g < leastClusters) return null
  const size = influences[0]?.length ?? 0
  const result = new Matrix(size)
  for (const u of influences)
    for (const [row, left] of u.entries()) for (const [column, right] of u.entries()) result.add(row, column, (g / (g - 1)) * left * right)
  return result
}

/** Half the width of the 95% interval of each strength, then of each coefficient: t(0.975, G−1) standard errors. */
export function halfWidths(estimate: Estimate): readonly number[] | null {
  const v = covariances(estimate)
  if (v === null) return null
  const t = studentQuantile(0.975, estimate.influences.length - 1)
  return Array.from({ length: v.size }, (_, row) => t * Math.sqrt(v.at(row, row)))
}

/** The standard error of the difference between two strengths. */
export function errorOfDifference(v: Matrix, a: number, b: number): number {
  return Math.sqrt(Math.max(0, v.at(a, a) + v.at(b, b) - 2 * v.at(a, b)))
}
