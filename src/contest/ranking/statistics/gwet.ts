import type { Unit } from './krippendorff.ts'

/** How much two steps of a scale agree: not at all unless they are the same, by their distance, or by its square. */
export type Weighting = 'unweighted' | 'linear' | 'quadratic'

/** The agreement of two places of a scale with so many steps, from 0 to 1. */
export function weightOf(a: number, b: number, steps: number, weighting: Weighting): number {
  if (weighting === 'unweighted') return a === b ? 1 : 0
  const distance = Math.abs(a - b) / (steps - 1)
  return 1 - (weighting === 'linear' ? distance : distance * distance)
}

/**
 * Gwet's AC (Handbook of Inter-Rater Reliability, 2014, chapter 5): AC1 unweighted, AC2 weighted. `scale` has all steps that a rater could give, in order,
 * whether anybody gave them or not. Null where nothing can be compared, or the scale has one step.
 * @throws RangeError if a value is no step of the scale
 */
export function gwet(units: readonly Unit[], scale: readonly number[], weighting: Weighting): number | null {
  const q = scale.length
  const given = units
    .map((unit) => unit.filter((each) => each !== null).map((value) => placeOf(value, scale)))
    .filter(({ length }) => length > 0)
  const compared = given.filter(({ length }) => length > 1)
  if (compared.length === 0 || q < 2) return null
  const weight = (a: number, b: number): number => weightOf(a, b, q, weighting)
  let observed = 0
  for (const unit of compared) {
    let sum = 0
    for (const [one, a] of unit.entries()) for (const [other, b] of unit.entries()) if (one !== other) sum += weight(a, b)
    observed += sum / (unit.length * (unit.length - 1)) / compared.length
  }
  const shares = scale.map(
    (_, place) => given.reduce((sum, unit) => sum + unit.filter((each) => each === place).length / unit.length, 0) / given.length,
  )
  let weights = 0
  for (let a = 0; a < q; a += 1) for (let b = 0; b < q; b += 1) weights += weight(a, b)
  const chance = (weights / (q * (q - 1))) * shares.reduce((sum, share) => sum + share * (1 - share), 0)
  return (observed - chance) / (1 - chance)
}

function placeOf(value: number, scale: readonly number[]): number {
  const place = scale.indexOf(value)
  if (place < 0) throw new RangeError(`${value} is no step of the scale`)
  return place
}
