import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage, type InformationEvent } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Fields, fieldsOf, flat, maxHeadBytes, trailersOf } from '../requests/fields.ts'
import { framed } from '../requests/framing.ts'
import { type OutboundExchange, type OutboundRequest, type OutboundResponse, StaleError } from '../requests/outbound.ts'
import { guarded } from './guarded.ts'

/** Starts a request. Its fields are the authority that was judged, followed by `fields`. */
function begin(agent: Agent, request: OutboundRequest, fields: Fields): ClientRequest {
  return httpRequest({
    agent,
    host: request.authority,
    setHost: false,
    method: request.method,
    path: request.target,
    headers: flat([['Host', request.authority], ...fields]),
    maxHeaderSize: maxHeadBytes,
    insecureHTTPParser: false,
    signal: request.signal,
  })
}

/** Sends a request over HTTP/1.1, on a connection from the agent. */
export function sendH1(agent: Agent, addressOf: () => string, request: OutboundRequest): OutboundExchange {
  const answered = Promise.withResolvers<OutboundResponse>()
  const outgoing = begin(agent, request, framed(request.headers, request.method, request.framing, '1.1'))
  const stop = () => void outgoing.destroy()
  outgoing.on(
    'information',
    guarded(({ statusCode, rawHeaders }: InformationEvent) => request.inform(statusCode, fieldsOf(rawHeaders)), stop),
  )
  outgoing.once(
    'response',
    guarded((response: IncomingMessage) => answered.resolve(responseOf(response)), stop),
  )
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    const stale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
    answered.reject(stale ? new StaleError(error.message, { cause: error }) : error)
  })
  return {
    get address() {
      return addressOf()
    },
    body: outgoing,
    finish(trailers) {
      if (trailers.length > 0) outgoing.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))
      outgoing.end()
    },
    response: answered.promise,
    abort: stop,
  }
}

export function responseOf(response: IncomingMessage): OutboundResponse {
  return {
    status: response.statusCode ?? 502,
    message: response.statusMessage ?? '',
    headers: fieldsOf(response.rawHeaders),
    body: response,
    trailers: () => trailersOf(response.rawTrailers),
    whole: () => response.complete,
  }
}

/** The result of an upgrade request: the upgraded connection, or an ordinary answer. */
export type Upgraded =
  | { readonly kind: 'switched'; readonly response: OutboundResponse; readonly stream: Duplex; readonly head: Buffer }
  | { readonly kind: 'answered'; readonly response: OutboundResponse; readonly close: () => void }

/** Sends a websocket request (RFC 6455, section 4.1) on a separate connection. */
export function upgradeH1(agent: Agent, request: OutboundRequest): Promise<Upgraded> {
  const { promise, resolve, reject } = Promise.withResolvers<Upgraded>()
  const outgoing = begin(agent, request, [
    ...framed(request.headers, request.method, { kind: 'none' }, '1.1'),
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
  ])
  outgoing.once('upgrade', (response, stream, head) => resolve({ kind: 'switched', response: responseOf(response), stream, head }))
  outgoing.once('response', (response) => resolve({ kind: 'answered', response: responseOf(response), close: () => outgoing.destroy() }))
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}
