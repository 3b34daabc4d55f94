import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { type Arrival, markArrivals } from './arrival.ts'
import { type ProblemCode, problem, problemType } from './problem.ts'
import type { App } from './server-deps.ts'

/**
 * Timeouts in milliseconds. Two limit how long a client may take for the head and for a whole request; both are checked every `checkMs`.
 * `closeMs` is the time for unfinished responses when the server stops.
 */
export interface Timeouts {
  readonly headMs: number
  readonly requestMs: number
  readonly checkMs: number
  readonly closeMs: number
}

export const defaultTimeouts: Timeouts = { headMs: 10_000, requestMs: 60_000, checkMs: 2_000, closeMs: 2_000 }
const mostConnections = 4_096
const largestHead = 16 * 1024

/** Returns the options of all servers. */
export function settingsOf(timeouts: Timeouts): ServerOptions {
  return {
    headersTimeout: timeouts.headMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
    keepAliveTimeout: 30_000,
    maxHeaderSize: largestHead,
    // An upgrade to any other protocol is ignored.
    shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
  }
}

/** Passes the requests and upgrades of one server to the app. Returns the server's connections, including upgraded ones. */
export function serve(app: App, server: Server, arrival: Arrival, event: 'connection' | 'secureConnection'): ReadonlySet<Socket> {
  markArrivals(server, arrival, event)
  server.maxConnections = mostConnections
  server.on('request', (request, response) => app.routing(request, response))
  server.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseRaw(error, socket))
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

const rawCodes: Readonly<Record<string, ProblemCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** Answers an invalid request, and closes the connection. */
function refuseRaw(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const answer = problem(rawCodes[error.code ?? ''] ?? 'BAD_INPUT')
  const body = JSON.stringify(answer)
  socket.end(
    `HTTP/1.1 ${answer.status} ${answer.title}\r\nContent-Type: ${problemType}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}

/** Resolves when the server is listening. */
export function started(
  server: Server,
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Closes idle connections immediately and others after their response, but all of them within `closeMs`. */
export function stopped(server: Server, open: ReadonlySet<Socket>, closeMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      for (const each of open) each.destroy()
    }, closeMs)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}
