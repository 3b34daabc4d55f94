import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { ClientStream } from '../connection/client-stream.ts'
import type { Target } from '../connection/dial.ts'
import { type HeldBytes, noRoom } from '../connection/held-bytes.ts'
import { reset } from '../connection/reset.ts'
import { RefusedError } from '../http/http-guard.ts'
import type { Destination } from '../placeholder/keeper.ts'
import type { Inspection } from '../policy/egress-policy.ts'
import { maxHeadBytes } from '../requests/fields.ts'
import { sizeOf } from '../requests/head-size.ts'
import { judgeOf } from '../requests/request-rules.ts'
import type { ServedCell } from '../served-cell.ts'
import { CheckedClient } from './checked-client.ts'
import { h2Room, speakH2 } from './client-h2.ts'
import { type ExchangeContext, exchange } from './exchange.ts'
import { guarded } from './guarded.ts'
import { inboundH1 } from './inbound-h1.ts'
import type { CellAuthority } from './tls/authority.ts'
import { trustedRoots } from './tls/roots.ts'
import { tlsEnd } from './tls/tls-end.ts'
import { upgrade } from './upgrade.ts'
import { Upstream } from './upstream.ts'
import { Windows } from './windows.ts'

export interface InspectorOptions extends ServedCell {
  /** The cell's certificate authority. Absent if no host is inspected and only endpoints of the gateway are served. */
  readonly authority: CellAuthority | undefined
  /** Additional trusted root certificates (PEM), besides the system's. */
  readonly extraRoots: readonly string[]
  readonly handshakeMs: number
  /** Milliseconds for which an HTTP/2 host may leave a PING unanswered while requests wait for that host. */
  readonly silentMs: number
}

/** A paused connection from the cell that must be inspected, with its first bytes read and judged. */
export interface InspectedConnection {
  readonly client: ClientStream
  readonly first: Buffer
  readonly tls: boolean
  readonly id: number
  readonly host: string
  readonly port: number
  readonly inspection: Inspection
  /** The destination of the requests, which may differ from the name that the cell uses. */
  readonly destination: Destination
  readonly reach: (signal: AbortSignal) => Promise<{ readonly socket: Socket; readonly target: Target }>
  readonly signal: AbortSignal
}

export interface Inspector {
  /** Serves a connection to its end. Rejects with `RefusedError` if its content cannot be judged. */
  serve(connection: InspectedConnection): Promise<void>
  close(): void
}

/** Maximum number of hosts that are kept. A wildcard can add any number of hosts. */
const maxHosts = 1_000
interface Host {
  readonly upstream: Upstream
  readonly judge: ExchangeContext['judge']
  readonly ruled: boolean
}

/** Creates the inspector that terminates TLS for the inspected hosts of one cell. A host is set up at the first connection to it. */
export function openInspector(options: InspectorOptions): Inspector {
  const hosts = new Map<string, Host>()
  const clients = new WeakMap<object, { readonly context: ExchangeContext; waiting: number }>()
  const { held, handshakeMs, silentMs } = options
  const h1 = http1Server(clients, held)
  const h2 = h2Room(held)
  const windows = new Windows()
  let trusted: SecureContext | null = null
  const roots = () => (trusted ??= trustedRoots(options.extraRoots))
  const endTls = options.authority === undefined ? null : tlsEnd(options.authority, handshakeMs)

  const hostOf = ({ host, port, tls, inspection, reach, destination }: InspectedConnection): Host => {
    const key = `${tls ? 'https' : 'http'}://${host}:${port}`
    const known = hosts.get(key)
    if (known !== undefined) return known
    if (hosts.size >= maxHosts) throw new RefusedError({ reason: 'too-many', detail: `more than ${maxHosts} inspected hosts` })
    const made: Host = {
      judge: judgeOf(inspection),
      ruled: inspection.rules.length > 0,
      upstream: new Upstream({ host: destination.host, tls: destination.tls, reach, roots, handshakeMs, silentMs, windows }),
    }
    hosts.set(key, made)
    return made
  }

  return {
    async serve(connection) {
      const { client, id, host, port, tls, first, signal, destination } = connection
      const { judge, ruled, upstream } = hostOf(connection)
      const { cell, cellName, approve, ledger, keeper } = options
      const served: ServedCell = { cell, cellName, approve, ledger, keeper, held }
      const context: ExchangeContext = { ...served, connection: id, host, port, tls, destination, judge, ruled, upstream }
      let outer: ClientStream = client
      const stop = () => {
        // A reset during a handshake would leak the handle.
        if (tls && outer === client) return void client.destroy()
        reset(client)
        if (outer !== client) outer.destroy()
      }
      signal.addEventListener('abort', stop, { once: true })
      try {
        if (!tls) return await speakH1(client, first, context, stop)
        if (endTls === null) throw new RefusedError({ reason: 'not-http', detail: 'the cell has no authority that vouches for this name' })
        client.unshift(first)
        const secured = await endTls(client)
        outer = secured
        if (signal.aborted) return stop()
        if (secured.alpnProtocol === 'h2') await speakH2(secured, context, h2)
        else await speakH1(secured, Buffer.alloc(0), context, stop)
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    close() {
      for (const { upstream } of hosts.values()) upstream.close()
    },
  }

  async function speakH1(socket: ClientStream, first: Buffer, context: ExchangeContext, cut: () => void): Promise<void> {
    const over = Promise.withResolvers<void>()
    const checked = new CheckedClient(socket, { destination: context, room: held.hold() }, cut, (refusal) => {
      const status = refusal.reason === 'host-mismatch' ? '421 Misdirected Request' : '400 Bad Request'
      if ((clients.get(checked)?.waiting ?? 0) === 0 && !checked.destroyed) {
        const text = `paddock: refused: ${refusal.reason}: ${refusal.detail}\n`
        checked.end(
          `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        )
        // The client needs time to read the answer before data that it still sends resets the connection.
        setTimeout(() => checked.destroy(), 100).unref()
      } else checked.destroy()
      over.reject(new RefusedError(refusal))
    })
    clients.set(checked, { context, waiting: 0 })
    checked.once('close', () => over.resolve())
    guarded(
      () => {
        h1.emit('connection', checked)
        checked.begin(first)
      },
      () => checked.destroy(),
    )()
    await over.promise.catch(async (error: unknown) => {
      if (!checked.closed) await new Promise((resolve) => checked.once('close', resolve))
      throw error
    })
  }
}

type Clients = WeakMap<object, { readonly context: ExchangeContext; waiting: number }>

function http1Server(clients: Clients, budget: HeldBytes): Server {
  const serve = (request: IncomingMessage, response: ServerResponse, expects: boolean) => {
    const socket = request.socket as unknown as CheckedClient
    const broken = () => void socket.destroy()
    guarded(() => {
      const client = clients.get(socket)
      if (client === undefined) return broken()
      const held = budget.hold()
      if (!held.set(sizeOf(request))) return socket.refuse(noRoom)
      client.waiting++
      const inbound = inboundH1(request, response, expects)
      const over = guarded(() => {
        client.waiting--
        held.release()
        if (request.headers.upgrade !== undefined) socket.settleUpgrade(false)
        socket.answered()
      }, broken)
      inbound.gone.addEventListener('abort', over)
      exchange(inbound, client.context).catch(broken)
    }, broken)()
  }
  const server = createServer({
    insecureHTTPParser: false,
    maxHeaderSize: maxHeadBytes,
    keepAliveTimeout: 0,
    shouldUpgradeCallback: (request) => request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket',
  })
  server.on('request', (request, response) => serve(request, response, false))
  server.on('checkContinue', (request, response) => serve(request, response, true))
  server.on('checkExpectation', (request, response) => serve(request, response, false))
  server.on('upgrade', (request, socket, head: Buffer) => {
    const checked = socket as unknown as CheckedClient
    const broken = () => void checked.destroy()
    guarded(() => {
      const client = clients.get(checked)
      if (client === undefined) return broken()
      const held = budget.hold()
      if (!held.set(sizeOf(request))) return checked.refuse(noRoom)
      const response = new ServerResponse(request)
      response.shouldKeepAlive = false
      upgrade(request, response, { checked, head, context: client.context })
        .catch(broken)
        .finally(() => held.release())
    }, broken)()
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  return server
}
