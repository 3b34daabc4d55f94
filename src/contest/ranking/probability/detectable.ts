import { studentCritical } from './student.ts'

/** The chance that a difference is found, to which plans and reports refer. */
export const power = 0.8

/**
 * Returns the smallest difference that is found with a chance of `power`, by a test of Student's t with this standard error, degrees of freedom
 * and two-sided probability of an error: (t(1 − tail/2, ν) + t(power, ν)) standard errors.
 */
export function detectable(error: number, degrees: number, tail: number): number {
  return (studentCritical(tail, degrees) + studentCritical(2 * (1 - power), degrees)) * error
}
