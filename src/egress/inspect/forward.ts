import { STATUS_CODES } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { InspectedRequest } from '../ledger.ts'
import { resetOf } from '../model-calls.ts'
import { endToEnd, type Fields } from '../requests/fields.ts'
import { type BodyFraming, isEmpty } from '../requests/framing.ts'
import type { InboundRequest } from '../requests/inbound.ts'
import { type OutboundExchange, type OutboundRequest, type OutboundResponse, StaleError } from '../requests/outbound.ts'
import { overrides } from '../requests/overrides.ts'
import { guarded } from './guarded.ts'
import type { Upstream } from './upstream.ts'

export interface ForwardHooks {
  readonly note: (end: Partial<InspectedRequest>) => void
  /** Receives the body as it is sent. Null if nothing needs to see the body. */
  readonly watch: ((piece: Buffer) => void) | null
  /** Returns an answer in the form that the client may see. Throws if the client may not see it at all. */
  readonly read: (response: OutboundResponse) => OutboundResponse
}

/**
 * Forwards a judged request and passes on its answer. Rejects if there is no answer or it cannot be passed on. In that case nothing has
 * been sent to the client, and the request to the host is cut off.
 */
export async function forward(
  request: InboundRequest,
  outbound: OutboundRequest,
  upstream: Upstream,
  { note, watch, read }: ForwardHooks,
): Promise<void> {
  let bytesOut = 0
  const count = (piece: Buffer) => {
    bytesOut += piece.length
    watch?.(piece)
  }
  const { sent, response: raw } = await asked(request, outbound, upstream, count)
  const response = readOr(raw, read, sent)
  const { status } = response
  const resetsAt = status === 429 || status >= 500 ? resetOf(raw.headers, Date.now()) : null
  const limit = resetsAt === null ? {} : { resetsAt }
  let cut = false
  if (request.gone.aborted) {
    sent.abort()
    return note({ status, address: sent.address, bytesOut })
  }
  let out: Writable
  try {
    out = request.respond(status, response.message || (STATUS_CODES[status] ?? ''), endToEnd(response.headers))
  } catch (error) {
    sent.abort()
    throw error
  }
  let bytesIn = 0
  const done = Promise.withResolvers<void>()
  const closed = guarded(() => {
    done.resolve()
    if (response.body.readableEnded) return
    cut ||= !request.gone.aborted
    request.abort()
  }, done.resolve)
  response.body.once('close', closed)
  if (response.body.destroyed) closed()
  const left = guarded(() => {
    done.resolve()
    if (!response.body.readableEnded || !sent.body.writableFinished) sent.abort()
  }, done.resolve)
  request.gone.addEventListener('abort', left, { once: true })
  if (request.gone.aborted) left()
  const broken = () => {
    cut ||= !request.gone.aborted
    request.abort()
    sent.abort()
  }
  pour(response.body, out, {
    count: (piece) => {
      bytesIn += piece.length
    },
    whole: () => (response.whole() ? request.finish(response.trailers()) : broken()),
    broken,
  })
  await done.promise
  note({ status, address: sent.address, bytesOut, bytesIn, ...limit, ...(cut ? { cut: true } : {}) })
}

function readOr(response: OutboundResponse, read: ForwardHooks['read'], sent: OutboundExchange): OutboundResponse {
  try {
    return read(response)
  } catch (error) {
    sent.abort()
    throw error
  }
}

async function asked(
  request: InboundRequest,
  outbound: OutboundRequest,
  upstream: Upstream,
  count: (piece: Buffer) => void,
): Promise<{ readonly sent: OutboundExchange; readonly response: OutboundResponse }> {
  const { framing } = request
  for (let tries = 0; ; tries++) {
    const sent = await upstream.send(outbound)
    if (isEmpty(framing)) sent.finish([])
    else {
      request.invite()
      const whole = () => sent.finish(withoutOverrides(request.trailers()))
      pour(request.body, sent.body, { count, whole, broken: sent.abort, framing })
    }
    try {
      return { sent, response: await sent.response }
    } catch (error) {
      // A body can be sent only once. A request without a body is sent again if the host has not seen it.
      if (!(error instanceof StaleError) || !isEmpty(framing) || tries > 0) throw error
    }
  }
}

/** Removes override fields from trailers: some servers treat trailers like headers, but only the headers have been judged. */
const withoutOverrides = (trailers: Fields): Fields => trailers.filter(([name]) => !overrides(name))

/**
 * Copies a body with back-pressure and reports when it is complete. A body that is longer or shorter than its
 * declared length is never complete, because the following bytes on that connection would be read as something else.
 */
function pour(
  from: Readable,
  to: Writable,
  how: {
    readonly count: (piece: Buffer) => void
    readonly whole: () => void
    readonly broken: () => void
    readonly framing?: BodyFraming
  },
): void {
  const expected = how.framing?.kind === 'length' ? how.framing.bytes : null
  let seen = 0
  to.on('error', () => {})
  from.on('error', () => {})
  from.on(
    'data',
    guarded((chunk: Buffer) => {
      seen += chunk.length
      how.count(chunk)
      if (expected === null || seen <= expected) return
      from.unpipe(to)
      how.broken()
    }, how.broken),
  )
  const end = guarded(() => {
    if (expected === null || seen === expected) how.whole()
    else how.broken()
  }, how.broken)
  // Node ends an empty HTTP/2 body as soon as its end arrives, even without a listener.
  if (from.readableEnded) return end()
  from.once('end', end)
  from.pipe(to, { end: false })
}
