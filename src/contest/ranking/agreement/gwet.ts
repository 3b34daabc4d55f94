import { comparedValues, type Unit } from './units.ts'
import { placeOn, type Weighting, weightOf } from './weights.ts'

/**
 * Returns Gwet's AC (Handbook of Inter-Rater Reliability, 4th edition, 2014, chapters 4 and 5): AC1 unweighted, AC2 weighted; 1 is full
 * agreement, 0 is chance level. `scale` has all the evenly spaced steps that a rater could give, in order, including unused ones. Returns
 * null if no unit has two ratings, or if the scale has fewer than two steps. Returns 1 if all ratings are the same.
 * @throws RangeError if a value is not a step of the scale
 */
export function gwet(units: readonly Unit[], scale: readonly number[], weighting: Weighting): number | null {
  const q = scale.length
  const compared = comparedValues(units)
  if (compared.length === 0 || q < 2) return null
  const weight = (a: number, b: number): number => weightOf(placeOn(scale, a), placeOn(scale, b), q, weighting)
  let observed = 0
  for (const unit of compared) {
    let sum = 0
    for (const [one, a] of unit.entries()) for (const [other, b] of unit.entries()) if (one !== other) sum += weight(a, b)
    observed += sum / (unit.length * (unit.length - 1)) / compared.length
  }
  // Units with only one rating still count towards the frequency of each step.
  const given = units.map((unit) => unit.filter((each) => each !== null)).filter(({ length }) => length > 0)
  const shares = scale.map(
    (step) => given.reduce((sum, unit) => sum + unit.filter((each) => each === step).length / unit.length, 0) / given.length,
  )
  const weights = scale.flatMap((a) => scale.map((b) => weight(a, b))).reduce((sum, each) => sum + each, 0)
  const chance = (weights / (q * (q - 1))) * shares.reduce((sum, share) => sum + share * (1 - share), 0)
  return (observed - chance) / (1 - chance)
}
