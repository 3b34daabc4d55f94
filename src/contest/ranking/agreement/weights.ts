/** How the agreement of two steps is weighted: full only if they are equal, or decreasing with their distance or its square. */
export type Weighting = 'unweighted' | 'linear' | 'quadratic'

/** Returns the agreement, from 0 to 1, of two positions on a scale of `steps` (at least two) evenly spaced steps. */
export function weightOf(a: number, b: number, steps: number, weighting: Weighting): number {
  if (weighting === 'unweighted') return a === b ? 1 : 0
  const distance = Math.abs(a - b) / (steps - 1)
  return 1 - (weighting === 'linear' ? distance : distance * distance)
}

/**
 * Returns the position of a value on a scale.
 * @throws RangeError if the value is not a step of the scale
 */
export function placeOn(scale: readonly number[], value: number): number {
  const place = scale.indexOf(value)
  if (place < 0) throw new RangeError(`${value} is not a step of the scale`)
  return place
}
