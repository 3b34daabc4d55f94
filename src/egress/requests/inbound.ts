import type { Readable, Writable } from 'node:stream'
import type { Fields } from './fields.ts'
import type { BodyFraming } from './framing.ts'

/** A request from the cell, over either version of HTTP, with everything that is needed to judge and forward it. */
export interface InboundRequest {
  readonly version: '1.1' | '2'
  readonly method: string
  /** The target as the client wrote it, in origin form. */
  readonly target: string
  /** Every authority in the request: `:authority`, Host, an absolute target. */
  readonly authorities: readonly string[]
  readonly headers: Fields
  readonly framing: BodyFraming
  /** Asks for the body, if the client waits for 100 Continue before it sends it (RFC 9110, section 10.1.1). Called before the body is read. */
  invite(): void
  /** The body. Reading starts when it has a listener. */
  readonly body: Readable
  /** Returns the trailer fields, which are known at the end of the body. */
  trailers(): Fields
  /** Passes on an interim answer (RFC 9110, section 15.2), 103. Skips one that cannot be sent. Never throws. */
  inform(status: number, headers: Fields): void
  /** Sends the head of the answer, or throws. Returns the stream for the body. `finish` ends it. */
  respond(status: number, message: string, headers: Fields): Writable
  finish(trailers: Fields): void
  /** Cuts off the answer, so that the client does not mistake it for complete. */
  abort(): void
  /** Aborted when the client is gone or the whole answer has been sent. */
  readonly gone: AbortSignal
}
