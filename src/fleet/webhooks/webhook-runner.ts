import { type Outbox, openOutbox } from '../ordered-outbox.ts'
import type { EventReader, FleetEvent } from '../store/event-log.ts'
import type { Webhook, Webhooks } from '../store/webhook-store.ts'
import { deliveryOf } from './delivery.ts'
import { nextEvent } from './next-event.ts'
import type { Answer, Send } from './send.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** Milliseconds after the first, the second, … failed attempt; after the last one, nearly a day later, Paddock gives up on an event. */
const waits = [10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 13 * hour]

export interface WebhookDeps {
  readonly webhooks: Webhooks
  readonly events: EventReader
  readonly send: Send
  /** Whether the fleet is paused. Nothing is sent in a pause except test events. */
  readonly isPaused: () => boolean
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

export interface WebhookRunner extends Pick<Outbox, 'ring'>, Disposable {
  /** Immediately sends a test event that is not in the log. If it is accepted, waiting events are retried immediately. */
  test(webhook: Webhook): Promise<Answer>
}

/** Sends events to the receivers of webhooks. */
export function runWebhooks({ webhooks, events, send, isPaused, warn, now }: WebhookDeps): WebhookRunner {
  const position = nextEvent(webhooks, events, now)
  const deliver = (webhook: Webhook, event: FleetEvent, signal: AbortSignal): Promise<Answer> =>
    send(webhook.url, deliveryOf(event, webhooks.secret(webhook.id) ?? '', now()), signal)
  const outbox = openOutbox<Webhook & { readonly key: string }, FleetEvent, Answer>({
    what: 'a webhook',
    lines: () => (isPaused() ? [] : webhooks.active().map((each) => ({ ...each, key: each.id }))),
    item: position,
    send: deliver,
    record(webhook, { id, kind }, { status, problem }, { state, attempts, nextAt }) {
      const at = new Date(now()).toISOString()
      const again = nextAt === null ? null : new Date(nextAt).toISOString()
      webhooks.note(webhook, {
        event: id,
        kind,
        at,
        state: state === 'sent' ? 'delivered' : state,
        attempts,
        status,
        problem,
        nextAt: again,
      })
    },
    ...{ waits, warn, now, log: events },
  })
  return {
    ring: outbox.ring,
    async test(webhook) {
      const event = { id: 0, at: new Date(now()).toISOString(), kind: 'webhook.test', agent: null, job: null, data: { name: webhook.name } }
      const answer = await deliver(webhook, event, outbox.signal)
      if (answer.problem === null && !outbox.signal.aborted) {
        webhooks.hurry(webhook.id)
        outbox.ring()
      }
      return answer
    },
    [Symbol.dispose]: () => outbox[Symbol.dispose](),
  }
}
