import type { Mean } from '../probability/mean.ts'
import { type Deviation, meanSum, overBriefs } from './deviations.ts'

/**
 * Returns the points of 100 by which a judge favours its own family: its deviation from other judges for its family, minus that for the
 * rest, so that a lenient judge does not look partial. Only briefs with submissions of both kinds count; null if there are none.
 */
export function ownFamilyOf(deviations: readonly Deviation[], isOwn: (participant: string) => boolean): Mean | null {
  return overBriefs(deviations, (brief) => {
    const own = brief.filter(({ participant }) => isOwn(participant))
    const rest = brief.filter(({ participant }) => !isOwn(participant))
    return own.length === 0 || rest.length === 0 ? null : [...meanSum(own), ...meanSum(rest, -1)]
  })
}
