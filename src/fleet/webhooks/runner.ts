import { messageOf } from '../../errors.ts'
import type { EventReader, FleetEvent } from '../store/events.ts'
import type { Webhook, Webhooks } from '../store/webhooks.ts'
import { deliveryOf } from './delivery.ts'
import { nextEvent } from './next-event.ts'
import type { Answer, Send } from './send.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** Milliseconds after the first, the second, … failed attempt; after the last one, nearly a day later, Paddock gives up on an event. */
const waits = [10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 13 * hour]
/** The longest time between two readings of the clock, in milliseconds: clocks are changed, and machines sleep. */
const longestMs = 30_000

export interface WebhookDeps {
  readonly webhooks: Webhooks
  readonly events: EventReader
  readonly send: Send
  /** Whether the fleet is paused. Nothing is sent in a pause except test events. */
  readonly isPaused: () => boolean
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

export interface WebhookRunner extends Disposable {
  /** Applies a changed webhook. */
  wake(): void
  /** Immediately sends a test event that is not in the log. If it is accepted, waiting events are retried immediately. */
  test(webhook: Webhook): Promise<Answer>
}

/**
 * Sends events to the receivers of webhooks, for each webhook one at a time, in order and at least once. An event counts as sent once its
 * outcome is on the disk, so an event in transit is sent again after the server was killed.
 */
export function runWebhooks({ webhooks, events, send, isPaused, warn, now }: WebhookDeps): WebhookRunner {
  const closing = new AbortController()
  /** Webhooks with a delivery in progress. */
  const busy = new Set<string>()
  const position = nextEvent(webhooks, events, now)
  let timer: NodeJS.Timeout | undefined
  let waking: NodeJS.Immediate | undefined

  const deliver = async (webhook: Webhook, event: FleetEvent): Promise<void> => {
    const secret = webhooks.secret(webhook.id) ?? ''
    const { status, problem } = await send(webhook.url, deliveryOf(event, secret, now()), closing.signal)
    if (closing.signal.aborted) return
    const attempts = webhook.trying === event.id ? webhook.attempts + 1 : 1
    const wait = problem === null ? undefined : waits[attempts - 1]
    const state = problem === null ? 'delivered' : wait === undefined ? 'given-up' : 'waiting'
    const nextAt = wait === undefined ? null : new Date(now() + wait).toISOString()
    const at = new Date(now()).toISOString()
    webhooks.note(webhook, { event: event.id, kind: event.kind, at, state, attempts, status, problem, nextAt })
  }
  const start = (webhook: Webhook, event: FleetEvent): void => {
    const free = (): void => {
      busy.delete(webhook.id)
      wake()
    }
    busy.add(webhook.id)
    deliver(webhook, event).then(free, (error: unknown) => {
      if (closing.signal.aborted) return
      warn(`a webhook could not be handled: ${messageOf(error)}`, { webhook: webhook.id })
      setTimeout(free, longestMs).unref()
    })
  }
  const look = (): void => {
    clearTimeout(timer)
    let next = longestMs
    for (const webhook of isPaused() ? [] : webhooks.active()) {
      if (busy.has(webhook.id)) continue
      const left = leftOf(webhook, now())
      if (left > 0) {
        next = Math.min(next, left)
        continue
      }
      const found = position(webhook)
      if (found === 'later') wake()
      else if (found !== null) start(webhook, found)
    }
    timer = setTimeout(wake, next).unref()
  }
  const wake = (): void => {
    if (closing.signal.aborted) return
    waking ??= setImmediate(() => {
      waking = undefined
      try {
        look()
      } catch (error) {
        warn(`webhooks could not be read: ${messageOf(error)}`, {})
        timer = setTimeout(wake, longestMs).unref()
      }
    })
  }
  const unlisten = events.onGrowth(wake)
  wake()
  return {
    wake,
    async test(webhook) {
      const event = { id: 0, at: new Date(now()).toISOString(), kind: 'webhook.test', agent: null, job: null, data: { name: webhook.name } }
      const answer = await send(webhook.url, deliveryOf(event, webhooks.secret(webhook.id) ?? '', now()), closing.signal)
      if (answer.problem === null && !closing.signal.aborted) {
        webhooks.hurry(webhook.id)
        wake()
      }
      return answer
    },
    [Symbol.dispose]() {
      closing.abort()
      unlisten()
      clearTimeout(timer)
      if (waking !== undefined) clearImmediate(waking)
    },
  }
}

/** Returns the milliseconds until the next attempt. A longer wait than the one that was set means that the clock was set back. */
function leftOf({ dueAt, attempts }: Webhook, now: number): number {
  if (dueAt === null) return 0
  const left = dueAt - now
  return left > (waits[attempts - 1] ?? 0) ? 0 : Math.max(0, left)
}
