import type { Socket as UdpSocket } from 'node:dgram'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AuditSink } from '../audit/event.ts'
import type { Approver } from './approvals/approval.ts'
import { type ConnectionContext, type ConnectionLimits, type Forward, serveConnection, serveNamed } from './connection/cell-connection.ts'
import { clientStream } from './connection/client-stream.ts'
import { readProxied, refuseProxied } from './connection/connect-proxy.ts'
import type { UpstreamProxy } from './connection/dial.ts'
import { type Connect, connectTcp } from './connection/dial.ts'
import { HeldBytes } from './connection/held-bytes.ts'
import { reset } from './connection/reset.ts'
import { answer, type DnsDecide, type DnsRespond } from './dns/dns.ts'
import { type DnsForward, forwardDns } from './dns/dns-forward.ts'
import { respondWithRealNames } from './dns/dns-real.ts'
import { serveDnsTcp, serveDnsUdp } from './dns/dns-server.ts'
import { checkNames } from './dns/names-ahead.ts'
import { quickResolver } from './dns/quick-resolver.ts'
import type { Resolver } from './dns/resolver.ts'
import { isSyntheticReverse, SyntheticAddresses } from './dns/synthetic.ts'
import type { EgressSummary } from './egress-summary.ts'
import type { Inspector } from './inspect/inspector.ts'
import type { CellAuthority } from './inspect/tls/authority.ts'
import { EgressLedger, type OnDenied } from './ledger.ts'
import type { OnModelCall } from './model-calls.ts'
import type { OnEgressNotice } from './notice.ts'
import type { CellCredential } from './placeholder/credential.ts'
import { CredentialKeeper } from './placeholder/keeper.ts'
import { type OwnAddresses, ownAddresses } from './policy/addresses.ts'
import { Allowlist, dnsAddress, type ListenerWish } from './policy/allowlist.ts'
import type { EgressPolicy } from './policy/egress-policy.ts'
import type { ServedCell } from './served-cell.ts'

export type { ListenerWish }

interface GatewayLimits extends ConnectionLimits {
  /** Maximum number of open connections. Further ones are reset. */
  readonly connections: number
  /** Maximum number of names that wildcards may add. */
  readonly names: number
  /** Maximum number of bytes, over all connections, that wait to be judged or answered. */
  readonly heldBytes: number
  /** Milliseconds for which an inspected HTTP/2 host may leave a PING unanswered while requests wait for that host. */
  readonly silentMs: number
}

const defaultLimits: GatewayLimits = {
  connections: 4_096,
  names: 100_000,
  heldBytes: 32 * 1_048_576,
  silentMs: 300_000,
  firstBytesMs: 30_000,
  sniffMs: 300,
  resolveMs: 10_000,
  dialMs: 15_000,
  halfOpenMs: 600_000,
}

export interface GatewayOptions {
  /** The cell's id, for the audit log. */
  readonly cell: string
  readonly policy: EgressPolicy
  readonly resolver: Resolver
  readonly audit: AuditSink
  /** Addresses of this host, read at each dial, in the format of `ownAddresses()`. */
  readonly hostAddresses?: () => OwnAddresses
  readonly connect?: Connect
  /** Carries each connection to the machine that judges it. Default: this gateway judges. */
  readonly forward?: Forward
  /** The proxy through which this machine reaches other hosts. Default: connections are direct. */
  readonly upstream?: UpstreamProxy | null
  /**
   * Resolves the names that `public` and `open` look up for the cell, and with a proxy those for which `resolver` has no answer. Default: `resolver`.
   */
  readonly realResolver?: Resolver
  /** Forwards queries other than those for addresses, under `public` and `open`. */
  readonly forwardDns?: DnsForward
  readonly limits?: Partial<GatewayLimits>
  /** Answers the questions of rules and entries. If absent, every answer is no. */
  readonly approve?: Approver
  /** Called with what the user should know at once. The same notice may be repeated. */
  readonly onNotice?: OnEgressNotice
  /** Called with the first denial of each host for each reason, within the limits of the summary. */
  readonly onDenied?: OnDenied
  /** Called with each finished call of a model API for which the cell has a credential. */
  readonly onModelCall?: OnModelCall
  /** The name of the cell's spec, for questions. */
  readonly cellName?: string
  /** Signs the certificates of the inspected hosts in the cell. Required if the policy has inspected hosts. */
  readonly authority?: CellAuthority
  /** The credentials for which the cell has placeholders. */
  readonly credentials?: readonly CellCredential[]
  /** Additional trusted root certificates (PEM) for inspected hosts, besides the system's. */
  readonly extraRoots?: readonly string[]
}

/** The only way out of one cell. It owns the listeners passed to it and closes them when it closes. */
export interface EgressGateway {
  /** Returns the listeners to open in the cell's network namespace; empty if the policy is `off`. */
  wishes(): readonly ListenerWish[]
  /** Serves a listener that was opened for a wish. After `close`, closes it, because the cell may fail while its listeners are opened. */
  serve(wish: ListenerWish, handle: Server | UdpSocket): void
  /**
   * Serves a stream from the cell that did not come through a listener, to the host name and port that it names. Both are judged as those
   * of any other connection.
   */
  serveStream(stream: Duplex, to: { readonly host: string; readonly port: number }): void
  /** Serves a forward proxy for the names of the policy to clients with the token, for cells without a separate network (macOS). */
  serveProxy(server: Server, token: string): void
  /** Resolves the allowed names and reports those that the cell could not reach. Does nothing if nobody wants to know. */
  checkNames(): void
  summary(): EgressSummary
  /** Resets every connection and closes every listener. Resolves when all are gone. Idempotent. */
  close(): Promise<void>
}

/** Creates the gateway of one cell. It opens no listeners itself: `wishes` returns the required ones, and `serve` serves them. */
export function openGateway(options: GatewayOptions): EgressGateway {
  const limits = { ...defaultLimits, ...options.limits }
  const allowlist = new Allowlist(options.policy)
  const names = new SyntheticAddresses(allowlist.exactNames, limits.names)
  const onDenied: OnDenied = (denied) => {
    options.onDenied?.(denied)
    // The code that resolves names reports these two.
    if (denied.reason !== 'unresolvable' && denied.reason !== 'internal-address') options.onNotice?.({ kind: 'denied', ...denied })
  }
  const ledger = new EgressLedger(options.cell, options.policy.mode, options.audit, onDenied, options.onModelCall)
  const keeper = new CredentialKeeper({
    credentials: options.credentials ?? [],
    record: (kind, data) => ledger.credential(kind, data),
  })
  const held = new HeldBytes(limits.heldBytes)
  let inspector: Promise<Inspector> | undefined
  const { cell, cellName = cell, approve, resolver, upstream = null } = options
  const served: ServedCell = { cell, cellName, approve, keeper, ledger, held }
  const context: ConnectionContext = {
    ...served,
    allowlist,
    names,
    notice: options.onNotice ?? (() => {}),
    mode: options.policy.mode,
    limits,
    resolver: upstream === null ? resolver : quickResolver(resolver, options.realResolver ?? null),
    connect: options.connect ?? connectTcp,
    forward: options.forward ?? null,
    upstream,
    ownAddresses: options.hostAddresses ?? ownAddresses,
    inspector: () => (inspector ??= openInspectorOf(options, served, limits)),
  }
  const decide = decideBy(allowlist, names, ledger)
  const respond: DnsRespond =
    options.policy.mode === 'public' || options.policy.mode === 'open'
      ? respondWithRealNames({
          served: decide,
          serves: (name) => allowlist.knows(name),
          resolver: options.realResolver ?? options.resolver,
          forward: options.forwardDns ?? forwardDns(),
          hideInternal: options.policy.mode === 'public',
          ownAddresses: context.ownAddresses,
          ledger,
          notice: context.notice,
          resolveMs: limits.resolveMs,
        })
      : (query) => answer(query, decide)
  const ended = new AbortController()
  const connections = new Map<Promise<void>, AbortController>()
  const closers: (() => Promise<void> | void)[] = []
  let lastId = 0
  let closing: Promise<void> | undefined

  const accept = (client: Duplex, to: { host: string; port: number }, serve: (id: number, signal: AbortSignal) => Promise<void>) => {
    const id = ++lastId
    if (closing !== undefined || connections.size >= limits.connections) {
      client.on('error', () => {})
      ledger.denied({ connection: id, ...to, reason: 'too-many' })
      reset(client)
      return
    }
    const controller = new AbortController()
    const served = serve(id, controller.signal).finally(() => connections.delete(served))
    connections.set(served, controller)
  }
  const listen = (server: Server, serve: typeof serveConnection = serveConnection) => {
    // A server received over IPC was created without options. Node reads these at each connection.
    Object.assign(server, { allowHalfOpen: true, pauseOnConnect: true })
    server.on('connection', (client: Socket) => {
      client.setNoDelay(true)
      const to = { host: client.localAddress ?? '', port: client.localPort ?? 0 }
      accept(client, to, (id, signal) => serve(client, id, context, signal))
    })
    server.on('error', (error) => ledger.denied({ connection: 0, host: '', port: null, reason: 'too-many', detail: error.message }))
    closers.push(() => closed(server))
  }

  const serveUdp = (socket: UdpSocket) => {
    serveDnsUdp(socket, respond)
    closers.push(() => new Promise((resolve) => socket.close(() => resolve())))
  }
  const serveNames = (server: Server) => {
    const end = serveDnsTcp(server, respond)
    closers.push(() => {
      end()
      return closed(server)
    })
  }

  const shut = async () => {
    ended.abort()
    for (const controller of connections.values()) controller.abort()
    await Promise.all([...closers.map((close) => close()), ...connections.keys()])
    await inspector?.then(
      (each) => each.close(),
      () => {},
    )
    ledger.close()
    keeper.close()
  }

  return {
    wishes: () => {
      if (options.policy.mode === 'off') return []
      const dns = (['dns-udp', 'dns-tcp'] as const).map((kind) => ({ kind, address: dnsAddress, port: 53 }))
      return [...dns, ...allowlist.listeners((name) => names.addressOf(name))]
    },
    serve: ({ kind }, handle) => {
      if (closing !== undefined) handle.close()
      else if (kind === 'dns-udp') serveUdp(handle as UdpSocket)
      else if (kind === 'dns-tcp') serveNames(handle as Server)
      else listen(handle as Server)
    },
    serveStream: (stream, to) => {
      const client = clientStream(stream)
      accept(client, to, (id, signal) => {
        client.on('error', () => {})
        return serveNamed(client, { id, ...to }, context, signal)
      })
    },
    serveProxy: (server, token) => listen(server, (...given) => serveProxied(token, ...given)),
    checkNames() {
      const { onNotice: notice, policy, resolver } = options
      if (notice !== undefined)
        void checkNames(policy, { resolver, upstream: context.upstream, own: context.ownAddresses, notice, signal: ended.signal })
    },
    summary() {
      const astray = keeper.astray()
      return { ...ledger.summary(), ...(astray.length > 0 ? { astray } : {}) }
    },
    close() {
      closing ??= shut()
      return closing
    },
  }
}

/**
 * Serves a connection to the proxy of a cell. The name comes from the request and is judged as for any other connection. Never rejects.
 */
async function serveProxied(token: string, client: Socket, id: number, context: ConnectionContext, signal: AbortSignal): Promise<void> {
  client.on('error', () => {})
  const onRefused = (why: string): void =>
    context.ledger.denied({ connection: id, host: '', port: null, reason: 'malformed', detail: `a request to the proxy: ${why}` })
  const held = context.held.hold()
  const asked = await readProxied(client, token, { ms: context.limits.firstBytesMs, signal, onRefused, held })
  held.release()
  if (asked === null) {
    // A refused client is still receiving its answer.
    if (!client.writableEnded) reset(client)
    return
  }
  const { host, port, kind } = asked
  if (context.allowlist.find(host, port) === null) {
    context.ledger.denied({ connection: id, host, port, reason: 'not-allowed', detail: 'no entry allows this port of the name' })
    refuseProxied(client, 403)
    return
  }
  if (kind === 'connect') client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  await serveNamed(client, { id, host, port }, context, signal)
}

async function openInspectorOf(options: GatewayOptions, served: ServedCell, limits: GatewayLimits): Promise<Inspector> {
  const { openInspector } = await import('./inspect/inspector.ts')
  return openInspector({
    ...served,
    authority: options.authority,
    extraRoots: options.extraRoots ?? [],
    handshakeMs: limits.firstBytesMs,
    silentMs: limits.silentMs,
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Returns the DNS decision for an allowlist. Nothing is looked up, and every name in a query is counted. */
function decideBy(allowlist: Allowlist, names: SyntheticAddresses, ledger: EgressLedger): DnsDecide {
  return (name) => {
    if (name === null || !allowlist.knows(name)) {
      if (name === null || !isSyntheticReverse(name)) ledger.asked(name ?? '(unreadable)', name === null ? 'malformed' : 'not-allowed')
      return null
    }
    const address = names.addressOf(name)
    ledger.asked(name, address === null ? 'too-many' : null)
    return address
  }
}
