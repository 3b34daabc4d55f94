import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { byName, endToEnd, type Fields, fieldsOf, trailersOf, valuesOf } from '../requests/fields.ts'
import { type BodyFraming, declaredLength } from '../requests/framing.ts'
import type { InboundRequest } from '../requests/inbound.ts'
import { guarded } from './guarded.ts'

/** Wraps a request of an HTTP/2 client. */
export function inboundH2(stream: ServerHttp2Stream, pseudo: IncomingHttpHeaders, raw: readonly string[]): InboundRequest {
  const headers = fieldsOf(raw)
  const authority = pseudo[':authority']
  const waits = valuesOf(headers, 'expect').length > 0
  const gone = new AbortController()
  let received: readonly string[] = []
  let last: ReturnType<InboundRequest['trailers']> = []
  stream.once('close', () => gone.abort())
  stream.once('trailers', (_headers, _flags, rawTrailers?: readonly string[]) => {
    received = rawTrailers ?? []
  })
  // An error of the stream is handled when it closes.
  stream.on('error', () => {})
  const abort = () => stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  stream.once(
    'wantTrailers',
    guarded(() => {
      if (!stream.destroyed) stream.sendTrailers(byName(last))
    }, abort),
  )
  return {
    version: '2',
    method: String(pseudo[':method'] ?? ''),
    target: String(pseudo[':path'] ?? ''),
    authorities: [...(authority === undefined ? [] : [String(authority)]), ...valuesOf(headers, 'host')],
    headers,
    framing: framingOf(headers, stream.endAfterHeaders),
    invite: guarded(
      () => {
        if (waits && !stream.headersSent && !stream.destroyed) stream.additionalHeaders({ ':status': 100 })
      },
      () => {},
    ),
    body: stream,
    trailers: () => trailersOf(received),
    inform: guarded(
      (status, fields) => {
        if (status === 103 && !stream.headersSent && !stream.destroyed)
          stream.additionalHeaders({ ...byName(endToEnd(fields)), ':status': status })
      },
      () => {},
    ),
    respond(status, _message, fields) {
      if (!stream.destroyed) stream.respond({ ...byName(fields), ':status': status }, { waitForTrailers: true, sendDate: false } as never)
      return stream
    },
    finish(trailers) {
      last = trailers
      stream.end()
      // Discards everything that the client sends after its answer.
      if (!stream.destroyed && !stream.readableEnded) stream.resume()
    },
    abort,
    gone: gone.signal,
  }
}

function framingOf(headers: Fields, ended: boolean): BodyFraming {
  const bytes = declaredLength(headers)
  if (bytes !== null) return { kind: 'length', bytes }
  return { kind: ended ? 'none' : 'stream' }
}
