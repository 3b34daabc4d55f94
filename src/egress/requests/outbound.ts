import type { Readable, Writable } from 'node:stream'
import type { Fields } from './fields.ts'
import type { BodyFraming } from './framing.ts'

/** A judged request on its way to the host. */
export interface OutboundRequest {
  readonly method: string
  /** The canonical path, followed by the query. */
  readonly target: string
  /** The host, with its port unless that is the scheme's default. */
  readonly authority: string
  /** End-to-end fields without Host. Only `framing` determines the framing. */
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
  /** Rejects if there is no answer, with `StaleError` if the request has not been processed and may be sent again. */
  readonly response: Promise<OutboundResponse>
  abort(): void
}

export interface OutboundResponse {
  readonly status: number
  readonly message: string
  readonly headers: Fields
  readonly body: Readable
  trailers(): Fields
  /** Returns false if the host or its connection cut off the answer. Call it at the end of the body. */
  whole(): boolean
}

/** The error if a kept connection had already been closed. */
export class StaleError extends Error {}
