import { count, duration } from '../../config/request/limit-texts.ts'

/** Returns the number of cells that run at once and the time to wait for rate limits, from the options. */
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
