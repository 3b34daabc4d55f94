import type { EventReader, FleetEvent } from '../store/event-log.ts'
import type { Webhook, Webhooks } from '../store/webhook-store.ts'

/** The most events that are checked before other webhooks get their turn. */
const batch = 500
/** The most irrelevant events that are checked again after a restart. Recording each one would be a write to the disk. */
const unnoted = 100

/**
 * Returns a function that finds the next event for a webhook: null if there is none, `later` if there was none so far. Events that were
 * deleted before they were sent are recorded as skipped.
 */
export function nextEvent(webhooks: Webhooks, events: EventReader, now: () => number): (webhook: Webhook) => FleetEvent | 'later' | null {
  /** The last event that was checked for each webhook. */
  const seen = new Map<string, number>()
  return (webhook) => {
    const from = Math.max(webhook.cursor, seen.get(webhook.id) ?? 0)
    const gone = events.first - 1
    if (from < gone) {
      const one = `Event ${gone} was deleted before this webhook reached it.`
      const problem = from + 1 === gone ? one : `Events ${from + 1} to ${gone} were deleted before this webhook reached them.`
      const skipped = { event: gone, kind: null, at: new Date(now()).toISOString(), attempts: 0, status: null, nextAt: null }
      webhooks.note(webhook, { ...skipped, state: 'skipped', problem })
      return 'later'
    }
    const found = events.after(from, batch)
    const next = found.find((each) => (webhook.kinds as readonly string[]).includes(each.kind))
    const last = found.findLast((each) => next === undefined || each.id < next.id)?.id ?? from
    seen.set(webhook.id, last)
    if (next !== undefined) return next
    if (last - webhook.cursor >= unnoted) webhooks.pass(webhook, last)
    return found.length === batch ? 'later' : null
  }
}
