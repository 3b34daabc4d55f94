import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { AuditEvent } from '../../src/audit/event.ts'
import { type EgressGateway, type GatewayOptions, openGateway } from '../../src/egress/cell-gateway.ts'
import { connectTcp, type Target } from '../../src/egress/connection/dial.ts'
import type { ResolvedAddress } from '../../src/egress/dns/resolver.ts'
import type { AllowEntry } from '../../src/egress/policy/egress-policy.ts'
import type { TestNetwork } from './netns.ts'

/** A public address that is mapped to a test server on loopback. */
export const publicAddress = '93.184.216.34'

export interface EgressLab extends AsyncDisposable {
  readonly gateway: EgressGateway
  /** Names that the gateway asked its resolver for. */
  readonly resolved: string[]
  /** Addresses that the gateway dialled. */
  readonly dialled: Target[]
  readonly events: AuditEvent[]
  /** Answers of the resolver by name, one list per query; the last one is repeated. */
  readonly answers: Map<string, string[][]>
  /** The loopback port for each public `address:port`. */
  readonly servers: Map<string, number>
  /** Starts a server on loopback that is reachable as `publicAddress:port`. */
  upstream(port: number, serve: (socket: Socket) => void): Promise<Server>
  /** Waits for an audit event of a kind. */
  event(kind: string, reason?: string): Promise<AuditEvent>
}

/** Starts a gateway in a namespace, with a resolver that records its queries and an internet on loopback. */
export async function openLab(
  network: TestNetwork,
  entries: readonly (Partial<AllowEntry> & { host: string })[],
  options: Partial<GatewayOptions> = {},
): Promise<EgressLab> {
  const resolved: string[] = []
  const dialled: Target[] = []
  const events: AuditEvent[] = []
  const answers = new Map<string, string[][]>()
  const servers = new Map<string, number>()
  const started: Server[] = []
  const sockets = new Set<Socket>()
  const gateway = openGateway({
    cell: 'test-cell',
    policy: { mode: 'allowlist', entries: entries.map((entry) => ({ ports: [443], internal: false, source: 'user', ...entry })) },
    audit: (event) => events.push(event),
    resolver: {
      async resolve(name): Promise<ResolvedAddress[]> {
        resolved.push(name)
        const lists = answers.get(name) ?? [[publicAddress]]
        const list = (lists.length > 1 ? lists.shift() : lists[0]) ?? []
        return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      },
    },
    connect(target, signal) {
      dialled.push(target)
      const port = servers.get(`${target.address}:${target.port}`)
      return connectTcp(port === undefined ? target : { address: '127.0.0.1', family: 4, port }, signal)
    },
    ...options,
  })
  await network.serve(gateway)
  return {
    gateway,
    resolved,
    dialled,
    events,
    answers,
    servers,
    async upstream(port, serve) {
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.add(socket.on('error', () => {}))
        serve(socket)
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      started.push(server)
      servers.set(`${publicAddress}:${port}`, (server.address() as AddressInfo).port)
      return server
    },
    async event(kind, reason) {
      for (;;) {
        const found = events.find((event) => event.kind === kind && (reason === undefined || event.data['reason'] === reason))
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      for (const socket of sockets) socket.destroy()
      for (const server of started) server.close()
    },
  }
}

/** Both ends use a pre-shared key, so that TLS needs no certificate here. */
const psk = {
  ciphers: 'PSK',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const
const key = Buffer.alloc(32, 1)

/** Returns a handler of plain connections that serves TLS on them. */
export function overTls(serve: (socket: TLSSocket) => void): (socket: Socket) => void {
  const server = createTlsServer({ ...psk, pskCallback: () => key }, serve)
  server.on('tlsClientError', () => {})
  return (socket) => server.emit('connection', socket)
}

/** Starts TLS over an existing connection. */
export function tlsOver(socket: Socket, servername: string): TLSSocket {
  const options = { socket, ...psk, pskCallback: () => ({ psk: key, identity: 'test' }), checkServerIdentity: () => undefined }
  return tlsConnect(servername === '' ? options : { ...options, servername }).on('error', () => {})
}
