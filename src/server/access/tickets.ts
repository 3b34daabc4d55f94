import type { Caller } from './caller.ts'
import { OneTime } from './one-time.ts'
import type { Clock } from './steady-clock.ts'

export const ticketMs = 30_000
/** The WebSocket subprotocol that the server selects. */
export const streamProtocol = 'paddock.v1'
export const ticketPrefix = 'paddock.ticket.'
const most = 10_000

/** Tickets for one WebSocket each. A browser cannot send headers with a WebSocket, so the ticket is listed with the subprotocols. */
export class Tickets extends OneTime<Caller> {
  constructor(clock: Clock) {
    super(clock, ticketMs, most)
  }
}

/** Returns the ticket in a list of subprotocols, or null if there is none or more than one. */
export function ticketIn(protocols: string | undefined): string | null {
  const found = (protocols ?? '').split(',').flatMap((each) => (each.trim().startsWith(ticketPrefix) ? [each.trim()] : []))
  return found.length === 1 ? (found[0]?.slice(ticketPrefix.length) ?? null) : null
}
