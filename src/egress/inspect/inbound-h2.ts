import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { byName, endToEnd, fieldsOf, trailersOf, valuesOf } from './fields.ts'
import type { InboundRequest } from './inbound.ts'

/** A request of an HTTP/2 client. */
export function inboundH2(stream: ServerHttp2Stream, pseudo: IncomingHttpHeaders, raw: readonly string[]): InboundRequest {
  const headers = fieldsOf(raw)
  const authority = pseudo[':authority']
  const gone = new AbortController()
  let received: readonly string[] = []
  let last: ReturnType<InboundRequest['trailers']> = []
  stream.once('close', () => gone.abort())
  stream.once('trailers', (_headers, _flags, rawTrailers?: readonly string[]) => {
    received = rawTrailers ?? []
  })
  // An error of the stream is told by its closing.
  stream.on('error', () => {})
  stream.once('wantTrailers', () => {
    if (!stream.destroyed) stream.sendTrailers(byName(last))
  })
  return {
    version: '2',
    method: String(pseudo[':method'] ?? ''),
    target: String(pseudo[':path'] ?? ''),
    authorities: [...(authority === undefined ? [] : [String(authority)]), ...valuesOf(headers, 'host')],
    headers,
    framing: stream.endAfterHeaders ? 'none' : valuesOf(headers, 'content-length').length > 0 ? 'length' : 'stream',
    expectsContinue: valuesOf(headers, 'expect').some((each) => each.toLowerCase() === '100-continue'),
    body: stream,
    trailers: () => trailersOf(received),
    inform(status, fields) {
      if (!stream.headersSent && !stream.destroyed) stream.additionalHeaders({ ':status': status, ...byName(endToEnd(fields)) })
    },
    respond(status, _message, fields) {
      if (!stream.destroyed) stream.respond({ ':status': status, ...byName(fields) }, { waitForTrailers: true, sendDate: false } as never)
      return stream
    },
    finish(trailers) {
      last = trailers
      stream.end()
      // What a client still sends behind its answer goes nowhere.
      if (!stream.destroyed && !stream.readableEnded) stream.resume()
    },
    abort: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    gone: gone.signal,
  }
}
