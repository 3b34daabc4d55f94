import { gwet } from './gwet.ts'
import { tableOf, weightedKappa } from './kappa.ts'
import { type Concordance, kendall } from './kendall.ts'
import { krippendorff, type Level } from './krippendorff.ts'
import { comparedValues, type Unit } from './units.ts'
import type { Weighting } from './weights.ts'

/** The agreement of judges in one dimension. Everything but `n` and `tooFew` is null if nothing varies. */
export interface Agreement {
  /** The number of units that at least two judges rated. */
  readonly n: number
  /** True: with fewer than ten units, the numbers say little. */
  readonly tooFew: boolean
  readonly alpha: Readonly<Record<Level, number>> | null
  /** Also null if a rating is not a step of the scale. */
  readonly ac: Readonly<Record<Weighting, number | null>> | null
  /** Only for two judges. Also null if a rating is not a step of the scale. */
  readonly kappa: Readonly<Record<Weighting, number | null>> | null
  /** Over the units that every judge rated. */
  readonly concordance: Concordance | null
}

/** The number of units below which the numbers say little. */
export const fewest = 10
const weightings = ['unweighted', 'linear', 'quadratic'] as const

/**
 * Returns how much judges agree. `units` has one row for each brief × participant; `scale` has all steps in order, or is null if it has no
 * steps.
 */
export function agreementOf(units: readonly Unit[], scale: readonly number[] | null): Agreement {
  const compared = comparedValues(units)
  const [nominal, ordinal, interval] = (['nominal', 'ordinal', 'interval'] as const).map((level) => krippendorff(units, level))
  const varies = typeof nominal === 'number' && typeof ordinal === 'number' && typeof interval === 'number'
  const raters = units[0]?.length ?? 0
  const steps = scale !== null && units.flat().every((each) => each === null || scale.includes(each)) ? scale : null
  const weighted = <T>(of: (weighting: Weighting, scale: readonly number[]) => T): Record<Weighting, T> | null =>
    !varies || steps === null ? null : (Object.fromEntries(weightings.map((each) => [each, of(each, steps)])) as Record<Weighting, T>)
  const complete = units.map((unit) => unit.filter((each) => each !== null)).filter(({ length }) => length === raters)
  return {
    n: compared.length,
    tooFew: compared.length < fewest,
    alpha: varies ? { nominal, ordinal, interval } : null,
    ac: weighted((weighting, all) => gwet(units, all, weighting)),
    kappa: raters === 2 ? weighted((weighting, all) => weightedKappa(tableOf(units, all, [0, 1]), weighting)) : null,
    concordance: varies ? kendall(Array.from({ length: raters }, (_, rater) => complete.map((unit) => unit[rater] ?? 0))) : null,
  }
}
