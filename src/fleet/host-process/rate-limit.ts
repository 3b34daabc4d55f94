import { setTimeout as pause } from 'node:timers/promises'
import type { RunOutcome } from '../../run/run-outcome.ts'

/** Milliseconds to wait if the reset time of the limit is not known: after the first refusal, the second, … */
const unknownMs = [60_000, 300_000, 900_000, 3_600_000] as const
/** The bounds of a random delay in milliseconds, because clocks differ and many jobs wait for the same moment. */
const [leastLateMs, mostLateMs] = [1_000, 10_000]
/** The longest wait in milliseconds. Vendors' longest limits are weekly. */
const longestMs = 8 * 86_400_000
const mostWaits = 50

/**
 * Returns when a job continues after a rate limit of its model, in milliseconds since the epoch; null if it does not wait. `waits`: the
 * number of its earlier waits. `late`: a random number from 0 to 1.
 */
export function waitsUntil(
  { kind, resetsAt }: Pick<RunOutcome, 'kind' | 'resetsAt'>,
  waits: number,
  now: number,
  late: number,
): number | null {
  if (kind !== 'rate-limited' || waits >= mostWaits) return null
  if (resetsAt === null) return now + (unknownMs[Math.min(waits, unknownMs.length - 1)] as number)
  if (resetsAt - now > longestMs) return null
  return Math.max(now, resetsAt) + leastLateMs + late * (mostLateMs - leastLateMs)
}

/** Waits until a moment, even if the clock is changed or the machine sleeps. Ends early, without an error, once the signal is aborted. */
export async function waitFor(until: number, signal: AbortSignal, now: () => number): Promise<void> {
  const stepMs = 10_000
  while (!signal.aborted && now() < until) await pause(Math.min(stepMs, until - now()), undefined, { signal }).catch(() => undefined)
}
