import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody, sendJson } from './wire.ts'

/** Faults of a model endpoint. */
export const trouble = ['429', '401', '500', 'hang', 'cut', 'garbage'] as const
export type Trouble = (typeof trouble)[number]

export interface HostileEndpoint extends AsyncDisposable {
  readonly port: number
  /** The time when its rate limit ends, in milliseconds since the epoch. */
  readonly resetsAt: number
}

/**
 * Starts a model endpoint that fails every request in the same way, with the status codes, headers and bodies of each vendor's API.
 * A GET is answered with an empty object.
 */
export async function startHostileEndpoint(how: Trouble): Promise<HostileEndpoint> {
  const resetsAt = Math.ceil(Date.now() / 1000) * 1000 + 3_600_000
  const server = createServer((request, response) => {
    readBody(request).then(
      () => (request.method === 'POST' ? fail(how, request, response, resetsAt) : sendJson(response, 200, {})),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    resetsAt,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fail(how: Trouble, request: IncomingMessage, response: ServerResponse, resetsAt: number): void {
  const path = request.url ?? ''
  switch (how) {
    case 'hang':
      return
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('<html>It works!</html>\n\n\u0000\u0001 not an event\n\n')
      return
    case 'cut':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(firstEvent(path))
      setTimeout(() => response.destroy(), 100)
      return
    default:
      sendJson(response, Number(how), errorOf(how, path, resetsAt), how === '429' ? limitHeaders(resetsAt) : {})
  }
}

function limitHeaders(resetsAt: number): Record<string, string> {
  return {
    'retry-after': String(Math.round((resetsAt - Date.now()) / 1000)),
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(resetsAt / 1000),
  }
}

function errorOf(how: '429' | '401' | '500', path: string, resetsAt: number): object {
  if (path.includes('/messages')) {
    const [type, message] = {
      429: ['rate_limit_error', 'This request would exceed your account’s rate limit.'],
      401: ['authentication_error', 'invalid x-api-key'],
      500: ['api_error', 'Internal server error'],
    }[how] as [string, string]
    return { type: 'error', error: { type, message } }
  }
  if (path.includes('enerateContent')) {
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${Math.round((resetsAt - Date.now()) / 1000)}s` }
    const [status, message] = {
      429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
      401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
      500: ['INTERNAL', 'An internal error has occurred.'],
    }[how] as [string, string]
    return { error: { code: Number(how), status, message, details: how === '429' ? [retry] : [] } }
  }
  const [type, message] = {
    429: ['requests', 'Rate limit reached for requests.'],
    401: ['invalid_request_error', 'Incorrect API key provided.'],
    500: ['server_error', 'The server had an error while processing your request.'],
  }[how] as [string, string]
  return { error: { type, message, code: null } }
}

/** Returns the first event of a streamed answer. */
function firstEvent(path: string): string {
  if (path.includes('/messages')) {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    return `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`
  }
  if (path.includes('enerateContent'))
    return `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: 'I' }] } }] })}\n\n`
  if (path.includes('/responses')) {
    return `event: response.created\ndata: ${JSON.stringify({ type: 'response.created', response: { id: 'resp_1' } })}\n\n`
  }
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: 'I' } }] })}\n\n`
}
