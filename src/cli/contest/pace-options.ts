import type { Posture } from '../../base/posture.ts'
import type { BasePosture } from '../../config/base-posture.ts'
import { count, duration } from '../../config/request/limit-texts.ts'

/** Returns the number of cells that run at once and the time to wait for rate limits, from the options. */
export function pacing(options: Pacing): { readonly parallel?: number; readonly waitForLimits?: number } {
  const { parallel, waitForLimits } = options
  return {
    ...(parallel === undefined ? {} : { parallel: count('--parallel', parallel) }),
    ...(waitForLimits === undefined ? {} : { waitForLimits: duration('--wait-for-limits', waitForLimits) }),
  }
}

/** Returns the isolation level of `--posture`, which takes precedence over the configuration. */
export function atLevel(level: Posture | undefined): { readonly posture?: BasePosture } {
  return level === undefined ? {} : { posture: { level, origin: `--posture ${level}` } }
}

export interface Pacing {
  readonly parallel?: string
  readonly waitForLimits?: string
}
