import type { EventReader, FleetEvent } from '../../fleet/store/events.ts'
import type { Numbered } from './numbered.ts'

/** Returns the log of events as something to follow. */
export function eventSource(log: EventReader): Numbered<FleetEvent> {
  return {
    get first() {
      return log.first
    },
    get last() {
      return log.last
    },
    after: (n, limit) => log.after(n, limit),
    numberOf: ({ id }) => id,
    onGrowth: (listener) => log.onGrowth(listener),
  }
}
