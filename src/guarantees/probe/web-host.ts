import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { HttpRule } from '../../egress/policy/egress-policy.ts'
import type { ProbeBench } from './bench.ts'

/** A request that arrived at a host of the probe's internet. */
export interface Arrived {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

/** A host of the probe's internet that speaks HTTP/1.1 and 2, over TLS on 443 and unencrypted on 80, and records all requests. */
export interface WebHost extends Disposable {
  readonly name: string
  readonly arrived: readonly Arrived[]
  /** The host's own certificate (PEM). */
  readonly certificate: string
  connections(): number
}

/**
 * @param name host name, random by default. No other probe may use the same name.
 * @param respond sends the response in place of the usual one.
 */
export async function webHost(
  bench: ProbeBench,
  name: string = `${bench.secret()}.example`,
  respond?: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<WebHost> {
  const arrived: Arrived[] = []
  const answer = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void => {
    arrived.push({ method: request.method ?? '', target: request.url ?? '', headers: request.headers })
    request.resume()
    if (respond === undefined) (response as ServerResponse).end('arrived')
    else respond(request as IncomingMessage, response as ServerResponse)
  }
  const { key, cert } = bench.internet.issue(name)
  const secure = createSecureServer({ key, cert, allowHTTP1: true }, answer)
  secure.on('tlsClientError', () => undefined).on('sessionError', () => undefined)
  const plain = createServer(answer).on('clientError', (_error, socket) => socket.destroy())
  const tls = await bench.serve({ address: '127.0.0.1' }, (socket) => void secure.emit('connection', socket))
  const clear = await bench.serve({ address: '127.0.0.1' }, (socket) => void plain.emit('connection', socket))
  const address = bench.names.freshAddress()
  bench.names.set(name, [address])
  bench.names.lead(address, 443, tls.port)
  bench.names.lead(address, 80, clear.port)
  return {
    name,
    arrived,
    certificate: cert,
    connections: () => tls.connections() + clear.connections(),
    [Symbol.dispose]: () => {
      tls[Symbol.dispose]()
      clear[Symbol.dispose]()
    },
  }
}

/** Parses a rule in the syntax that users write: `deny POST,PUT /path`. */
export function rule(text: string): HttpRule {
  const [action = '', methods = '', path = ''] = text.split(' ')
  return { action: action as HttpRule['action'], methods: methods === '*' ? [] : methods.split(','), path, source: 'user' }
}
