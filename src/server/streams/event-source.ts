import type { EventReader, FleetEvent } from '../../fleet/store/event-log.ts'
import { type NumberedNow, tailOf } from './tail.ts'

/** Returns the event log as a source for several followers. */
export function eventSource(log: EventReader): NumberedNow<FleetEvent> {
  return tailOf({
    get first() {
      return log.first
    },
    get last() {
      return log.last
    },
    after: (n, limit) => log.after(n, limit),
    numberOf: ({ id }) => id,
    onGrowth: (listener) => log.onGrowth(listener),
  })
}
