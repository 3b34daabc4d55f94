/** Returns the smallest difference between two distinct values, which approximates the step of their scale. Null if all are equal. */
export function smallestGap(values: readonly number[]): number | null {
  const sorted = [...new Set(values)].sort((a, b) => a - b)
  const gaps = sorted.slice(1).map((value, place) => value - (sorted[place] ?? 0))
  // Smaller gaps are rounding errors.
  const least = gaps.filter((gap) => gap > 1e-9).reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  return least === Number.POSITIVE_INFINITY ? null : least
}

/**
 * Returns the variance that rounding to steps of this size adds to a value: h²/12 (Sheppard, Proceedings of the London Mathematical Society
 * 29, 1898).
 */
export function roundingVariance(step: number): number {
  return (step * step) / 12
}
