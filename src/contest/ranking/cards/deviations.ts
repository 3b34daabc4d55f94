import { type Mean, meanOf } from '../probability/mean.ts'
import { roundingVariance, smallestGap } from '../probability/smallest-gap.ts'
import type { Rating } from './ratings.ts'

/** The difference between a judge's points for a submission and the median of other judges', out of 100. */
export interface Deviation {
  readonly brief: string
  readonly participant: string
  readonly points: number
  /** The variance of `points` that is caused by rounding to the steps of the scale. */
  readonly rounding: number
}

/** A weighted sum of deviations in one brief. */
export type Weighted = readonly { readonly deviation: Deviation; readonly factor: number }[]

/**
 * Returns a judge's deviations, for every submission that one of `others` rated as well. The median of three or more does not depend on one
 * that is unlike the rest.
 */
export function deviationsOf(judge: string, ratings: readonly Rating[], others: readonly string[]): Deviation[] {
  const variance = roundingVariance(smallestGap(ratings.map(({ points }) => points)) ?? 0)
  const units = Map.groupBy(ratings, ({ brief, participant }) => JSON.stringify([brief, participant]))
  return [...units.values()].flatMap((unit) => {
    const own = unit.find((each) => each.judge === judge)
    const rest = unit.filter((each) => others.includes(each.judge)).map(({ points }) => points)
    const middle = median(rest)
    if (own === undefined || middle === null) return []
    const { brief, participant, points } = own
    return [{ brief, participant, points: points - middle, rounding: variance * (1 + 1 / rest.length) }]
  })
}

/** Returns the mean, over briefs, of a weighted sum for each brief. Briefs with a null sum are skipped. Null if all are skipped. */
export function overBriefs<T extends Deviation>(deviations: readonly T[], sumOf: (brief: readonly T[]) => Weighted | null): Mean | null {
  const briefs = Map.groupBy(deviations, ({ brief }) => brief)
  const sums = [...briefs.values()].map(sumOf).filter((each) => each !== null)
  const values = sums.map((sum) => sum.reduce((total, { deviation, factor }) => total + factor * deviation.points, 0))
  const rounding = sums.flat().reduce((total, { deviation, factor }) => total + factor * factor * deviation.rounding, 0)
  return meanOf(values, Math.sqrt(rounding) / sums.length)
}

/** Returns the mean of deviations as a weighted sum, times `sign`. */
export function meanSum(deviations: readonly Deviation[], sign: 1 | -1 = 1): Weighted {
  return deviations.map((deviation) => ({ deviation, factor: sign / deviations.length }))
}

/** Returns the median of some numbers; null if there are none. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return average(Number.isInteger(half) ? sorted.slice(half - 1, half + 1) : sorted.slice(Math.floor(half), Math.ceil(half)))
}

/** Returns the mean of some numbers; null if there are none. */
export function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length
}
