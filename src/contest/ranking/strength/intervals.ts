import { studentCritical } from '../probability/student.ts'
import { covariances, errorOf } from './covariance.ts'
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
 * Returns the 95% interval of each individual strength and coefficient: estimate ± t(0.975, ν) standard errors, with the degrees of freedom
 * ν of that value (see influences.ts). Returns null for fewer than three clusters.
 */
export function intervalsOf(estimate: Estimate): Intervals | null {
  const n = estimate.strengths.length
  const size = n + estimate.coefficients.length
  const around = (value: number, row: number): Interval | null =>
    intervalAround(
      estimate,
      Array.from({ length: size }, (_, place) => Number(place === row)),
      value,
    )
  const strengths = estimate.strengths.map(around)
  const coefficients = estimate.coefficients.map((value, place) => around(value, n + place))
  const known = (list: readonly (Interval | null)[]): Interval[] => list.flatMap((each) => each ?? [])
  return strengths[0] === null ? null : { strengths: known(strengths), coefficients: known(coefficients) }
}

/**
 * Returns the 95% interval of a value whose derivatives by each strength and then each coefficient are `gradient` (delta method). Returns
 * null for fewer than three clusters.
 */
export function intervalAround(estimate: Estimate, gradient: readonly number[], value: number): Interval | null {
  const covariance = covariances(estimate)
  if (covariance === null) return null
  const error = errorOf(covariance, gradient)
  // Nothing differs between the clusters, so there are no degrees of freedom to find.
  const half = error === 0 ? 0 : studentCritical(0.05, estimate.degreesOf(gradient)) * error
  return { estimate: value, low: value - half, high: value + half }
}
