import { signatureOf } from '../hooks/signature.ts'
import type { FleetEvent } from '../store/event-log.ts'

/** One event in the form that is sent. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Seconds for which a repeated event has the same signature; well within the time window of hooks. */
const sameSeconds = 120

/**
 * Returns an event signed in the way that hooks require. Its time is that of the event plus a whole number of two-minute steps, the latest
 * that is not after `now` (milliseconds since the epoch). An event that is sent twice within a step is the same delivery, so a hook
 * makes one job of it.
 */
export function deliveryOf(event: FleetEvent, secret: string, now: number): Delivery {
  const { id, at, kind, agent, job, data } = event
  const body = Buffer.from(JSON.stringify({ schemaVersion: 1, event: { id, at, kind, agent, job, data } }))
  const begin = Math.floor(Date.parse(at) / 1000)
  const time = String(begin + Math.floor((now / 1000 - begin) / sameSeconds) * sameSeconds)
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'paddock',
      'x-paddock-time': time,
      'x-paddock-signature': signatureOf(secret, time, body),
    },
    body,
  }
}
