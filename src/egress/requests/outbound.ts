import type { Readable, Writable } from 'node:stream'
import type { Fields } from './fields.ts'
import type { BodyFraming } from './framing.ts'

/** A judged request on its way to the host. */
export interface OutboundRequest {
  readonly method: string
  /** Canonical path and the query. */
  readonly target: string
  /** Host, with the port if it is not the scheme's own. */
  readonly authority: string
  /** End-to-end fields without Host. Those that frame are not taken from here, but from `framing`. */
  readonly headers: Fields
  readonly framing: BodyFraming
  readonly inform: (status: number, headers: Fields) => void
  readonly signal: AbortSignal
}

export interface OutboundExchange {
  /** The literal address that the request goes to. */
  readonly address: string
  readonly body: Writable
  /** Ends the body. */
  finish(trailers: Fields): void
  /** Rejects if no answer comes; with `StaleError` if the request has not been looked at and may be sent again. */
  readonly response: Promise<OutboundResponse>
  abort(): void
}

export interface OutboundResponse {
  readonly status: number
  readonly message: string
  readonly headers: Fields
  readonly body: Readable
  trailers(): Fields
  /** Asked at the end of the body: false if the host, or the connection to it, cut the answer off. */
  whole(): boolean
}

/** A kept connection turned out to be closed already. */
export class StaleError extends Error {}
