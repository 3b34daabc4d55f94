import type { Mean } from '../probability/mean.ts'
import { average, type Deviation, overBriefs } from './deviations.ts'

/** A deviation, with the place of the submission in the order of the judge's rubric: from 0 (first) to 1 (last). */
export interface PlacedDeviation extends Deviation {
  readonly position: number
}

/**
 * Returns how many points of 100 a judge gives more for the first than for the last place in the order of a rubric: the least-squares slope
 * in each brief. Null if no brief has two places.
 */
export function orderEffectOf(deviations: readonly PlacedDeviation[]): Mean | null {
  return overBriefs(deviations, (brief) => {
    const middle = average(brief.map(({ position }) => position)) ?? 0
    const squares = brief.reduce((sum, { position }) => sum + (position - middle) ** 2, 0)
    return squares === 0 ? null : brief.map((deviation) => ({ deviation, factor: (middle - deviation.position) / squares }))
  })
}
