import type { WebSocket } from '@fastify/websocket'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { callerOf } from '../access/caller.ts'
import { isGood } from '../access/identify.ts'
import type { OpenStream } from '../access/open-streams.ts'
import type { Access } from '../access/server-access.ts'
import { streamProtocol } from '../access/tickets.ts'
import { Refusal } from '../problem.ts'
import type { Numbered } from './numbered.ts'
import type { StreamLimits } from './pump.ts'
import { type Following, sendEvents } from './sse.ts'
import type { TerminalStream } from './terminal-stream.ts'
import { sendFrames } from './watch-fleet.ts'

const number = z.string().regex(/^(?:0|[1-9]\d{0,14})$/, { error: 'must be a number of at most 15 digits' })

/** The most open streams of a borrower. */
const mostOfBorrower = 32

/** The query for the start of a stream; by default, the stream starts with the next item. */
export const streamQuery = z.strictObject({
  after: number.optional().describe('The number of the last item that the reader has; 0 for all.'),
})
export const streamHeaders = z.looseObject({
  'last-event-id': number.optional().describe('The same as `after`, as browsers send it when they reconnect. It takes precedence.'),
})

/** Refuses a WebSocket that does not offer the subprotocol of streams. Browsers drop a connection if none is selected. */
export async function requireProtocol(request: FastifyRequest): Promise<void> {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
  if (!offered.includes(streamProtocol)) throw new Refusal('BAD_INPUT', `A WebSocket here offers the subprotocol ${streamProtocol}.`)
}

/** Answers requests with streams that end when their credential does. */
export class StreamAnswers {
  readonly #access: Access
  readonly #limits: StreamLimits

  constructor(access: Access, limits: StreamLimits) {
    this.#access = access
    this.#limits = limits
  }

  /** Answers with server-sent events. A reader without a position gets those after `from`. Throws BUSY if too many streams are open. */
  async events<T>(request: FastifyRequest, reply: FastifyReply, source: Numbered<T>, from: number = source.last): Promise<void> {
    using stream = this.#open(request)
    try {
      await sendEvents(reply, this.#following(request, source, stream, from))
    } catch (error) {
      request.log.error({ err: error }, 'stream failed')
      reply.raw.destroy()
    }
  }

  /** Sends frames over an upgraded socket. */
  async frames<T>(request: FastifyRequest, socket: WebSocket, source: Numbered<T>): Promise<void> {
    try {
      using stream = this.#open(request)
      await sendFrames(socket, this.#following(request, source, stream, source.last))
    } catch (error) {
      request.log.error({ err: error }, 'stream failed')
      socket.terminate()
    }
  }

  /** Sends the frames of a terminal over an upgraded socket. `relay` passes them on. */
  async terminal(request: FastifyRequest, socket: WebSocket, relay: (stream: TerminalStream) => Promise<void>): Promise<void> {
    try {
      using stream = this.#open(request)
      const caller = callerOf(request)
      await relay({ stream, isGood: () => isGood(caller, this.#access), beatMs: this.#limits.heartbeatMs })
    } catch (error) {
      request.log.error({ err: error }, 'terminal failed')
      socket.terminate()
    }
  }

  #open(request: FastifyRequest): OpenStream {
    const caller = callerOf(request)
    // The credential may have been revoked since the check. From here on, revoking it ends the stream.
    if (!isGood(caller, this.#access)) throw new Refusal('UNAUTHENTICATED', 'The credential is no longer valid.')
    // A reader that does not read costs some megabytes of memory.
    return this.#access.streams.open(caller.credential, ...(caller.role === 'borrower' ? [mostOfBorrower] : []))
  }

  #following<T>(request: FastifyRequest, source: Numbered<T>, stream: OpenStream, from: number): Following<T> {
    const caller = callerOf(request)
    const after = request.headers['last-event-id'] ?? (request.query as { readonly after?: string }).after
    return {
      source,
      after: after === undefined ? from : Number(after),
      stream,
      isGood: () => isGood(caller, this.#access),
      limits: this.#limits,
    }
  }
}
