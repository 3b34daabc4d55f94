import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface SentSpan {
  readonly spanId: string
  readonly traceId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code: number }
}

export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** A server on the loopback that keeps what it receives. */
export async function listening(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  certificate: Certificate | null = null,
) {
  const received: { readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string }[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const each of request) body += String(each)
    received.push({ url: request.url ?? '', headers: request.headers, body })
    answer(request, response)
  }
  const server = certificate === null ? createServer(serve) : createTlsServer(certificate, serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: (): readonly SentSpan[] =>
      received.filter(({ url }) => url.endsWith('/v1/traces')).flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans),
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
/** Requests in the form that the collector of the tests reads. */
export const asJson = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
export const accepts = (_: IncomingMessage, response: ServerResponse): void => void response.end('{}')
/** Returns the attributes of a span by name. */
export const valuesOf = ({ attributes }: SentSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
