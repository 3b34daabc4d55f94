import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fields, fieldsOf, flat, trailersOf, valuesOf, without } from '../requests/fields.ts'
import { type BodyFraming, declaredLength } from '../requests/framing.ts'
import type { InboundRequest } from '../requests/inbound.ts'
import { guarded } from './guarded.ts'

/** Wraps a request of an HTTP/1.1 client whose framing a strict reader has already checked. `waits`: the client waits for 100 Continue. */
export function inboundH1(request: IncomingMessage, response: ServerResponse, waits: boolean): InboundRequest {
  const headers = fieldsOf(request.rawHeaders)
  let mayWait = valuesOf(headers, 'expect').length > 0
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '')
  const rest = absolute?.[2] ?? ''
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.sendDate = false
  return {
    version: '1.1',
    method: request.method ?? '',
    target: absolute === null ? (request.url ?? '') : rest.startsWith('/') ? rest : `/${rest}`,
    authorities: [...valuesOf(headers, 'host'), ...(absolute === null ? [] : [absolute[1] ?? ''])],
    headers,
    framing: framingOf(headers),
    invite: guarded(
      () => {
        mayWait = false
        if (waits && !response.headersSent) response.writeContinue()
      },
      () => {},
    ),
    body: request,
    trailers: () => trailersOf(request.rawTrailers),
    inform: guarded(
      (status, fields) => inform(response, status, fields),
      () => {},
    ),
    respond(status, message, fields) {
      // A client that was not asked for its body may never send it, so the meaning of the following bytes is unclear.
      if (mayWait && !request.complete) response.shouldKeepAlive = false
      const drop = status === 204 ? ['content-length', 'trailer'] : valuesOf(fields, 'content-length').length > 0 ? ['trailer'] : []
      response.writeHead(status, message, flat(without(fields, ...drop)))
      response.flushHeaders()
      return response
    },
    finish(trailers) {
      if (trailers.length > 0 && !response.writableEnded)
        response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))
      response.end()
    },
    abort: () => void request.socket.destroy(),
    gone: gone.signal,
  }
}

function framingOf(headers: Fields): BodyFraming {
  if (valuesOf(headers, 'transfer-encoding').length > 0) return { kind: 'stream' }
  const bytes = declaredLength(headers)
  return bytes === null ? { kind: 'none' } : { kind: 'length', bytes }
}

function inform(response: ServerResponse, status: number, fields: Fields): void {
  if (response.headersSent || status !== 103) return
  const links = valuesOf(fields, 'link')
  if (links.length > 0) response.writeEarlyHints({ link: links })
}
