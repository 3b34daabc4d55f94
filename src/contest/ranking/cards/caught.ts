import { holm } from '../probability/holm.ts'

/** One number of a report card that would be zero for a fair judge. */
export interface CardTest<T extends string> {
  readonly name: T
  readonly p: number
}

/**
 * Returns the faults of a judge: every failed control, and every number that differs significantly from zero after Holm's correction over
 * the card. A fair judge therefore gets a fault from a number in at most 5 of 100 cards.
 */
export function caughtBy<T extends string>(tests: readonly CardTest<T>[], failedControls: readonly T[]): T[] {
  const significant = holm(tests.map(({ p }) => p))
  return [...failedControls, ...tests.filter((_, place) => significant[place]).map(({ name }) => name)]
}
