import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs } from '../../base/monotonic.ts'
import type { Slots } from '../state/slots.ts'

/** The result of work that must be repeated: the time to repeat it, in milliseconds since the epoch. */
export interface Again {
  readonly again: number
}

/** The longest delay of a timer. Node fires longer ones immediately. */
const longestTimer = 2 ** 31 - 1

/**
 * Runs `work` on all items in order, each in a slot. If one fails, the others still run, and then the first failure is thrown. An item
 * whose work returns a time runs again at that time, and frees its slot until then. Nothing new starts once the signal is aborted.
 * `familiesOf` returns the vendors whose models an item uses.
 */
export async function pool<T>(
  items: readonly T[],
  slots: Slots,
  signal: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: work that returns nothing is done.
  work: (item: T) => Promise<void | Again>,
  familiesOf: (item: T) => readonly string[] = () => [],
): Promise<void> {
  const once = async (item: T): Promise<number | null> => {
    using slot = await slots.take(familiesOf(item), signal)
    return slot === null ? null : ((await work(item))?.again ?? null)
  }
  const ended = await Promise.allSettled(
    items.map(async (item) => {
      for (let again = await once(item); again !== null; again = await once(item)) await waitUntil(again, signal)
    }),
  )
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}

/** Waits until a wall-clock time. Setting the clock back during the wait does not make it longer. */
async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  const end = monotonicMs() + time - Date.now()
  const left = (): number => Math.min(time - Date.now(), end - monotonicMs())
  for (let each = left(); each > 0 && !signal.aborted; each = left())
    await wait(Math.min(each, longestTimer), undefined, { signal }).catch(() => {})
}
