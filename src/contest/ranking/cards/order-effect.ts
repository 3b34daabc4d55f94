import type { Mean } from '../probability/mean.ts'
import { average, type Deviation, overBriefs } from './deviations.ts'

/** A deviation, with the position of the submission in the judge's order in the rubric task, from 0 (first) to 1 (last). */
export interface PlacedDeviation extends Deviation {
  readonly position: number
}

/**
 * Returns how many points of 100 more a judge gives the first position in the order of a rubric task than the last one: the least-squares
 * slope in each brief. Null if no brief has two positions.
 */
export function orderEffectOf(deviations: readonly PlacedDeviation[]): Mean | null {
  return overBriefs(deviations, (brief) => {
    const middle = average(brief.map(({ position }) => position)) ?? 0
    const squares = brief.reduce((sum, { position }) => sum + (position - middle) ** 2, 0)
    return squares === 0 ? null : brief.map((deviation) => ({ deviation, factor: (middle - deviation.position) / squares }))
  })
}
