import { average } from './deviations.ts'
import type { BothOrders } from './position.ts'

/** Returns true if the empty submission is not last by the rubric: another got fewer points, or none got more. Points are out of 100. */
export function praisesEmpty(empty: number, others: readonly number[]): boolean {
  return others.length > 0 && (others.some((each) => each < empty) || !others.some((each) => each > empty))
}

/**
 * Returns true if a judge prefers the empty submission to another one. `empty` is from the empty submission's perspective. A tie is not a
 * fault, because a rival may have submitted almost nothing, and then honest judges would fail.
 */
export function prefersEmpty({ shownFirst, shownSecond }: BothOrders): boolean {
  return (shownFirst + shownSecond) / 2 > 0.5
}

/**
 * Returns the mean difference between a judge's ratings of the same submission under two labels, in points of 100; null if there are no
 * duplicates.
 */
export function repeatOf(duplicates: readonly (readonly [number, number])[]): number | null {
  return average(duplicates.map(([one, other]) => Math.abs(one - other)))
}
