import { count, duration } from '../../config/request/limit-texts.ts'

/** How many cells run at once, and how long limits are waited for, as options say it. */
export function pacing(options: Pacing): { readonly parallel?: number; readonly waitForLimits?: number } {
  const { parallel, waitForLimits } = options
  return {
    ...(parallel === undefined ? {} : { parallel: count('--parallel', parallel) }),
    ...(waitForLimits === undefined ? {} : { waitForLimits: duration('--wait-for-limits', waitForLimits) }),
  }
}

export interface Pacing {
  readonly parallel?: string
  readonly waitForLimits?: string
}
