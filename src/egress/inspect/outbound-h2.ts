import { type ClientHttp2Session, constants, type IncomingHttpHeaders } from 'node:http2'
import { byName, type Fields, fieldsOf, trailersOf, without } from '../requests/fields.ts'
import { framed, isEmpty } from '../requests/framing.ts'
import { type OutboundExchange, type OutboundRequest, type OutboundResponse, StaleError } from '../requests/outbound.ts'
import { guarded } from './guarded.ts'

export interface OutboundStream extends OutboundExchange {
  /** Ends the exchange after the host has ended the connection. A complete answer can still be read. */
  hostLeft(): void
}

/** Sends a request as one stream of an HTTP/2 session. */
export function sendH2(session: ClientHttp2Session, address: string, request: OutboundRequest): OutboundStream {
  const answered = Promise.withResolvers<OutboundResponse>()
  const headers = framed(request.headers, request.method, request.framing, '2')
  const stream = session.request(
    {
      ...byName(without(headers, 'host')),
      ':method': request.method,
      ':scheme': 'https',
      ':authority': request.authority,
      ':path': request.target,
    },
    { endStream: isEmpty(request.framing), waitForTrailers: true },
  )
  let received: readonly string[] = []
  let last: Fields = []
  const stop = () => {
    stream.close(constants.NGHTTP2_CANCEL)
    // A closed connection never confirms the close, and an answer without a reader never ends.
    stream.destroy()
  }
  stream.on(
    'headers',
    guarded((info: IncomingHttpHeaders, _flags: number, raw?: readonly string[]) => {
      request.inform(Number(info[':status']), fieldsOf(raw ?? []))
    }, stop),
  )
  stream.once(
    'response',
    guarded((head: IncomingHttpHeaders, _flags: number, raw?: readonly string[]) => {
      answered.resolve({
        status: Number(head[':status'] ?? 502),
        message: '',
        headers: fieldsOf(raw ?? []),
        body: stream,
        trailers: () => trailersOf(received),
        // When a session is destroyed, its streams end like complete ones.
        whole: () => stream.rstCode === constants.NGHTTP2_NO_ERROR && !session.destroyed,
      })
    }, stop),
  )
  stream.once('trailers', (_head, _flags, raw?: readonly string[]) => {
    received = raw ?? []
  })
  stream.once(
    'wantTrailers',
    guarded(() => {
      if (!stream.destroyed) stream.sendTrailers(byName(last))
    }, stop),
  )
  stream.on('error', () => {})
  stream.once('close', () => {
    const unseen = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || (stream.id === undefined && session.closed)
    answered.reject(unseen ? new StaleError('the stream was refused') : new Error(`the stream was closed with code ${stream.rstCode}`))
  })
  request.signal.addEventListener('abort', stop, { once: true })
  stream.once('close', () => request.signal.removeEventListener('abort', stop))
  return {
    address,
    body: stream,
    finish(trailers) {
      last = trailers
      if (!stream.writableEnded) stream.end()
    },
    response: answered.promise,
    abort: stop,
    hostLeft() {
      if (!stream.closed) stop()
    },
  }
}
