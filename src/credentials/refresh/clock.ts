import { setTimeout } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  sleep(ms: number): Promise<void>
}

export const systemClock: Clock = { now: () => Date.now(), sleep: (ms) => setTimeout(ms) }

/** A token counts as ended so long before it does: requests take their time, and clocks differ. */
export const usualMarginMs = 300_000

/** Still good for long enough to be used. A token without an end is good. */
export function isFresh(expiresAt: Date | null, now: number, marginMs: number = usualMarginMs): boolean {
  return expiresAt === null || expiresAt.getTime() - marginMs > now
}

/** Not ended yet, though it may end soon. */
export function isLive(expiresAt: Date | null, now: number): boolean {
  return expiresAt === null || expiresAt.getTime() > now
}

/** 1 s, 2 s, 4 s, … at most 5 min: how long to wait after so many failures in a row. */
export function backOffMs(failures: number): number {
  return Math.min(1_000 * 2 ** Math.min(failures - 1, 20), 300_000)
}
