import { gwet } from './gwet.ts'
import { tableOf, weightedKappa } from './kappa.ts'
import { type Concordance, kendall } from './kendall.ts'
import { krippendorff, type Level } from './krippendorff.ts'
import { comparedValues, type Unit } from './units.ts'
import type { Weighting } from './weights.ts'

/** The agreement of judges in one dimension. All fields except `n` and `tooFew` are null if the ratings do not vary. */
export interface Agreement {
  /** The number of units that at least two judges rated. */
  readonly n: number
  /** True: there are fewer than ten units, too few for meaningful coefficients. */
  readonly tooFew: boolean
  readonly alpha: Readonly<Record<Level, number>> | null
  /** Gwet's AC. Also null if a rating is not a step of the scale. */
  readonly ac: Readonly<Record<Weighting, number | null>> | null
  /** Cohen's κ, only for two judges. Also null if a rating is not a step of the scale. */
  readonly kappa: Readonly<Record<Weighting, number | null>> | null
  /** Kendall's W, over the units that every judge rated. */
  readonly concordance: Concordance | null
  /** The mean Spearman rank correlation of two judges, from W. Null if `concordance` is null. */
  readonly rankCorrelation: number | null
}

/** The minimum number of units for meaningful coefficients. */
export const fewest = 10
const weightings = ['unweighted', 'linear', 'quadratic'] as const

/**
 * Returns the agreement of judges. `units` has one row for each brief × participant. `scale` has all steps in order, or is null if the
 * scale has no steps.
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
  const concordance = varies ? kendall(Array.from({ length: raters }, (_, rater) => complete.map((unit) => unit[rater] ?? 0))) : null
  return {
    n: compared.length,
    tooFew: compared.length < fewest,
    alpha: varies ? { nominal, ordinal, interval } : null,
    ac: weighted((weighting, all) => gwet(units, all, weighting)),
    kappa: raters === 2 ? weighted((weighting, all) => weightedKappa(tableOf(units, all, [0, 1]), weighting)) : null,
    concordance,
    rankCorrelation: concordance === null ? null : (raters * concordance.wTied - 1) / (raters - 1),
  }
}
