import { setTimeout } from 'node:timers/promises'

export interface Clock {
  /** Returns the time in milliseconds since the epoch. */
  now(): number
  sleep(ms: number): Promise<void>
}

export const systemClock: Clock = { now: () => Date.now(), sleep: (ms) => setTimeout(ms) }

/** How long before its expiry a token counts as expired, because requests take time and clocks differ. */
export const usualMarginMs = 300_000

/** Returns true if a token is valid long enough to be used. A token without an expiry always is. */
export function isFresh(expiresAt: Date | null, now: number, marginMs: number = usualMarginMs): boolean {
  return expiresAt === null || expiresAt.getTime() - marginMs > now
}

/** Returns true if a token has not expired yet, though it may expire soon. */
export function isLive(expiresAt: Date | null, now: number): boolean {
  return expiresAt === null || expiresAt.getTime() > now
}

/** Returns how long to wait after this many failures in a row: 1 s, 2 s, 4 s, … at most 5 min. */
export function backOffMs(failures: number): number {
  return Math.min(1_000 * 2 ** Math.min(failures - 1, 20), 300_000)
}
