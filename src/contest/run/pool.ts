import { setTimeout as wait } from 'node:timers/promises'

/** What a piece of work resolves to if it is to be done again, at a time in milliseconds since the epoch. */
export interface Again {
  readonly again: number
}

const always = (): boolean => true
/** A longer timer would end at once (Node). */
const longestTimer = 2 ** 31 - 1

/**
 * Runs `work` over all items, at most `limit` at the same time, in order. All of them are run, also when one fails; then the first failure is thrown.
 * An item whose work says so comes again at its time, while others go on. Nothing new starts once the signal is aborted, or `mayStart` says no.
 */
export async function pool<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: what ends without a word is done.
  work: (item: T) => Promise<void | Again>,
  mayStart: () => boolean = always,
): Promise<void> {
  const failures: unknown[] = []
  const queue = items.map((item) => ({ item, from: 0 }))
  const worker = async (): Promise<void> => {
    while (!signal.aborted && queue.length > 0 && mayStart()) {
      const now = Date.now()
      const ready = queue.findIndex(({ from }) => from <= now)
      const [next] = ready < 0 ? [] : queue.splice(ready, 1)
      if (next === undefined) {
        const soonest = Math.min(...queue.map(({ from }) => from))
        await wait(Math.min(soonest - now, longestTimer), undefined, { signal }).catch(() => {})
        continue
      }
      try {
        const ended = await work(next.item)
        if (ended !== undefined) queue.push({ item: next.item, from: ended.again })
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
}

const bytesPerCell = 2 * 1024 ** 3

/** How many cells at once: one for each 2 GiB of memory, at most four for each CPU, at least one. */
export function parallelByMachine(machine: { readonly memoryBytes: number; readonly cpus: number }): number {
  return Math.max(1, Math.min(Math.floor(machine.memoryBytes / bytesPerCell), machine.cpus * 4))
}
