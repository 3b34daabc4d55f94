import { monotonicMs } from '../../monotonic.ts'

/** Milliseconds, on the monotonic clock and on the system clock. */
export interface Clock {
  monotonic(): number
  wall(): number
}

export const systemClock: Clock = { monotonic: monotonicMs, wall: () => Date.now() }

/**
 * Returns a test for whether a time has passed. It goes by both clocks: one is set back by its user, the other stops while the machine
 * sleeps, and whichever is first ends what must not last longer.
 */
export function deadline(clock: Clock, ms: number): () => boolean {
  const monotonic = clock.monotonic() + ms
  const wall = clock.wall() + ms
  return () => clock.monotonic() >= monotonic || clock.wall() >= wall
}
