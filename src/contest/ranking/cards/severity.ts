import type { Mean } from '../probability/mean.ts'
import { type Deviation, meanSum, overBriefs } from './deviations.ts'

/**
 * Returns how many points of 100 more (lenient) or less (severe) a judge gives than the others for the same submissions; null if no
 * submission is shared.
 */
export function severityOf(deviations: readonly Deviation[]): Mean | null {
  return overBriefs(deviations, (brief) => meanSum(brief))
}
