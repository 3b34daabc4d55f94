import { monotonicMs } from '../../base/monotonic.ts'

/** The current time in milliseconds, on the monotonic clock and on the system clock. */
export interface Clock {
  monotonic(): number
  wall(): number
}

export const systemClock: Clock = { monotonic: monotonicMs, wall: () => Date.now() }

/**
 * Returns a function that tests whether a period has passed. It uses both clocks, because a user can set one back and the other stops while
 * the machine sleeps; the clock that gets there first decides.
 */
export function deadline(clock: Clock, ms: number): () => boolean {
  const monotonic = clock.monotonic() + ms
  const wall = clock.wall() + ms
  return () => clock.monotonic() >= monotonic || clock.wall() >= wall
}
