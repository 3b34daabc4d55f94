import type { EventReader, FleetEvent } from '../../src/fleet/store/event-log.ts'

export interface GrowingLog extends EventReader {
  /** Adds events with this text in their data. */
  add(...texts: readonly string[]): void
  /** Forgets the events up to an id. */
  drop(upTo: number): void
}

/** Returns an event log for tests of the server that need no database. */
export function eventsInMemory(): GrowingLog {
  let kept: FleetEvent[] = []
  let last = 0
  const listeners = new Set<() => void>()
  return {
    get last() {
      return last
    },
    get first() {
      return kept[0]?.id ?? last + 1
    },
    after: (id, limit) => {
      const start = Math.max(0, id + 1 - (kept[0]?.id ?? last + 1))
      return kept.slice(start, start + limit)
    },
    onGrowth: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add: (...texts) => {
      for (const text of texts) {
        last += 1
        kept.push({ id: last, at: new Date(0).toISOString(), kind: 'test', agent: null, job: null, data: { text } })
      }
      for (const each of listeners) each()
    },
    drop: (upTo) => {
      kept = kept.filter(({ id }) => id > upTo)
    },
  }
}
