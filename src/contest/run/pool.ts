import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs } from '../../monotonic.ts'
import type { Slots } from './slots.ts'

/** What a piece of work resolves to if it is to be done again, at a time in milliseconds since the epoch. */
export interface Again {
  readonly again: number
}

/** A longer timer would end at once (Node). */
const longestTimer = 2 ** 31 - 1

/**
 * Runs `work` over all items, each in a slot, in order. All of them are run, also when one fails; then the first failure is thrown. An item whose work
 * says so comes again at its time, and leaves its slot to others meanwhile. Nothing new starts once the signal is aborted. `familiesOf` says which
 * vendors' models an item uses.
 */
export async function pool<T>(
  items: readonly T[],
  slots: Slots,
  signal: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: what ends without a word is done.
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

/** Waits until a time of the wall clock. If that is set back meanwhile, the wait does not get longer. */
async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  const end = monotonicMs() + time - Date.now()
  const left = (): number => Math.min(time - Date.now(), end - monotonicMs())
  for (let each = left(); each > 0 && !signal.aborted; each = left())
    await wait(Math.min(each, longestTimer), undefined, { signal }).catch(() => {})
}
