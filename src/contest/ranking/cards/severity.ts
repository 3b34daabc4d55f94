import type { Mean } from '../probability/mean.ts'
import { type Deviation, meanSum, overBriefs } from './deviations.ts'

/**
 * Returns how many points of 100 a judge gives above (lenient) or below (severe) the others for the same submissions; null if none are
 * shared.
 */
export function severityOf(deviations: readonly Deviation[]): Mean | null {
  return overBriefs(deviations, (brief) => meanSum(brief))
}
