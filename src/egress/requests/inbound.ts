import type { Readable, Writable } from 'node:stream'
import type { Fields } from './fields.ts'
import type { BodyFraming } from './framing.ts'

/** A request as it came out of the cell, over either version of HTTP: what the judge and the forwarding need of it. */
export interface InboundRequest {
  readonly version: '1.1' | '2'
  readonly method: string
  /** The target as it was written, origin form. */
  readonly target: string
  /** Whom the request names, each time that it does so: `:authority`, Host, an absolute target. */
  readonly authorities: readonly string[]
  readonly headers: Fields
  readonly framing: BodyFraming
  /** The client waits for a word before it sends its body. */
  readonly expectsContinue: boolean
  /** Nothing is read from it before somebody listens. */
  readonly body: Readable
  /** Trailer fields; known at the end of the body. */
  trailers(): Fields
  /** Passes an interim answer on (RFC 9110, section 15.2): 100, 103. One that cannot be said is left out. Never throws. */
  inform(status: number, headers: Fields): void
  /** Sends the head of the answer, or throws. What it returns takes the body; it is ended by `finish`. */
  respond(status: number, message: string, headers: Fields): Writable
  finish(trailers: Fields): void
  /** Cuts the answer off, so that nobody takes it for whole. */
  abort(): void
  /** Aborted when the client is gone, or everything is sent. */
  readonly gone: AbortSignal
}
