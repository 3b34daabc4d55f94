import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs } from '../../base/monotonic.ts'

export interface SlotBounds {
  /** The maximum number of cells at the same time. */
  readonly cells: number
  /** The maximum number of cells with models of the same vendor. Default: no separate limit. */
  readonly cellsPerFamily?: number
  /** The minimum time between the starts of two cells, in milliseconds; default 0. */
  readonly staggerMs?: number
}

/** A limit on running cells, which contests that run at the same time share. */
export interface Slots {
  readonly cells: number
  /**
   * Resolves when a cell with models of these vendors may start; the caller disposes of the slot when the cell has ended. Null: the signal
   * is aborted.
   */
  take(families: readonly string[], signal: AbortSignal): Promise<Disposable | null>
}

interface Waiting {
  readonly families: readonly string[]
  readonly start: (slot: Disposable | null) => void
}

/** Returns slots that are assigned in order, except that a cell never waits for a vendor whose models it does not use. */
export function slotsOf({ cells, cellsPerFamily = Number.POSITIVE_INFINITY, staggerMs = 0 }: SlotBounds): Slots {
  const queue: Waiting[] = []
  const ofFamily = new Map<string, number>()
  let used = 0
  let nextStart = 0
  const isFree = (family: string): boolean => (ofFamily.get(family) ?? 0) < cellsPerFamily
  const count = (families: readonly string[], change: 1 | -1): void => {
    used += change
    for (const each of families) ofFamily.set(each, (ofFamily.get(each) ?? 0) + change)
  }
  const serve = (): void => {
    for (let at = 0; at < queue.length && used < cells; ) {
      const next = queue[at]
      if (next === undefined || !next.families.every(isFree)) {
        at += 1
        continue
      }
      queue.splice(at, 1)
      count(next.families, 1)
      let isHeld = true
      const slot = {
        [Symbol.dispose]() {
          if (!isHeld) return
          isHeld = false
          count(next.families, -1)
          serve()
        },
      }
      next.start(slot)
    }
  }
  return {
    cells,
    async take(families, signal) {
      if (signal.aborted) return null
      const { promise, resolve } = Promise.withResolvers<Disposable | null>()
      const waiting = { families: [...new Set(families)], start: resolve }
      const leave = (): void => {
        const at = queue.indexOf(waiting)
        if (at >= 0) queue.splice(at, 1)
        resolve(null)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(waiting)
      serve()
      const slot = await promise
      signal.removeEventListener('abort', leave)
      if (slot === null) return null
      const now = monotonicMs()
      const start = Math.max(now, nextStart)
      nextStart = start + staggerMs
      if (start > now) await wait(start - now, undefined, { signal }).catch(() => {})
      if (!signal.aborted) return slot
      slot[Symbol.dispose]()
      return null
    },
  }
}

const bytesPerCell = 2 * 1024 ** 3

/** Returns the number of cells that run at once: one for each 2 GiB of memory, at most four for each CPU, at least one. */
export function parallelByMachine(machine: { readonly memoryBytes: number; readonly cpus: number }): number {
  return Math.max(1, Math.min(Math.floor(machine.memoryBytes / bytesPerCell), machine.cpus * 4))
}
