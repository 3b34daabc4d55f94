import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import { OneTime } from './one-time.ts'

export const ticketMs = 30_000
/** What a WebSocket speaks; the server chooses it. */
export const streamProtocol = 'paddock.v1'
export const ticketPrefix = 'paddock.ticket.'
const most = 10_000

/** Tickets for one WebSocket each: a browser cannot give it headers, so the ticket goes beside the protocol's name. */
export class Tickets extends OneTime<Caller> {
  constructor(clock: Clock) {
    super(clock, ticketMs, most)
  }
}

/** Returns the ticket that a list of subprotocols holds; null if it holds none or several. */
export function ticketIn(protocols: string | undefined): string | null {
  const found = (protocols ?? '').split(',').flatMap((each) => (each.trim().startsWith(ticketPrefix) ? [each.trim()] : []))
  return found.length === 1 ? (found[0]?.slice(ticketPrefix.length) ?? null) : null
}
