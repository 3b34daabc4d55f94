import { studentQuantile } from '../probability/student.ts'
import { covariances } from './covariance.ts'
import type { Estimate } from './estimate.ts'

/** An estimate and the bounds of its 95% interval. */
export interface Interval {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

export interface Intervals {
  readonly strengths: readonly Interval[]
  readonly coefficients: readonly Interval[]
}

/**
 * Returns the 95% interval of each individual strength and coefficient: estimate ± t(0.975, G−1) standard errors, over G clusters. Returns
 * null for fewer than three clusters.
 */
export function intervalsOf(estimate: Estimate): Intervals | null {
  const covariance = covariances(estimate)
  if (covariance === null) return null
  const t = studentQuantile(0.975, estimate.influences.length - 1)
  const n = estimate.strengths.length
  const around = (value: number, row: number): Interval => {
    const half = t * Math.sqrt(covariance.at(row, row))
    return { estimate: value, low: value - half, high: value + half }
  }
  return { strengths: estimate.strengths.map(around), coefficients: estimate.coefficients.map((value, place) => around(value, n + place)) }
}
