import type { Readable, Writable } from 'node:stream'
import type { Fields } from './fields.ts'
import type { BodyFraming } from './framing.ts'

/** A judged request on its way to the host. */
export interface OutboundRequest {
  readonly method: string
  /** The canonical path and the query. */
  readonly target: string
  /** The host, with the port if it is not the scheme's default. */
  readonly authority: string
  /** End-to-end fields without Host. Framing is not read from here, but from `framing`. */
  readonly headers: Fields
  readonly framing: BodyFraming
  readonly inform: (status: number, headers: Fields) => void
  readonly signal: AbortSignal
}

export interface OutboundExchange {
  /** The literal address that the request is sent to. */
  readonly address: string
  readonly body: Writable
  /** Ends the body. */
  finish(trailers: Fields): void
  /** Rejects if no answer arrives; with `StaleError` if the request has not been processed and may be sent again. */
  readonly response: Promise<OutboundResponse>
  abort(): void
}

export interface OutboundResponse {
  readonly status: number
  readonly message: string
  readonly headers: Fields
  readonly body: Readable
  trailers(): Fields
  /** Called at the end of the body. Returns false if the answer was cut off by the host or its connection. */
  whole(): boolean
}

/** A kept connection had already been closed. */
export class StaleError extends Error {}
