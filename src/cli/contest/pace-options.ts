import type { BackendName } from '../../base/cell-place.ts'
import type { Posture } from '../../base/posture.ts'
import { type BasePlace, defaultPlace } from '../../config/base-place.ts'
import { count, duration } from '../../config/request/limit-texts.ts'

/** Returns the number of cells that run at once and the time to wait for rate limits, from the options. */
export function pacing(options: Pacing): { readonly parallel?: number; readonly waitForLimits?: number } {
  const { parallel, waitForLimits } = options
  return {
    ...(parallel === undefined ? {} : { parallel: count('--parallel', parallel) }),
    ...(waitForLimits === undefined ? {} : { waitForLimits: duration('--wait-for-limits', waitForLimits) }),
  }
}

/** Returns the isolation level of `--posture` and the backend of `--backend`, which take precedence over the configuration. */
export function at({ posture, backend }: PlaceOptions, base: BasePlace = defaultPlace): { readonly place: BasePlace } {
  return {
    place: {
      posture: posture ?? base.posture,
      backend: backend ?? base.backend,
      origins: {
        posture: posture === undefined ? base.origins.posture : `--posture ${posture}`,
        backend: backend === undefined ? base.origins.backend : `--backend ${backend}`,
      },
    },
  }
}

export interface PlaceOptions {
  readonly posture?: Posture
  readonly backend?: BackendName
}

export interface Pacing {
  readonly parallel?: string
  readonly waitForLimits?: string
}
