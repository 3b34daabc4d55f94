import { Agent, type ClientRequestArgs } from 'node:http'
import { type ClientHttp2Session, connect as connectH2 } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext, TLSSocket } from 'node:tls'
import type { Target } from '../connection/dial.ts'
import { reset } from '../connection/reset.ts'
import { maxHeadBytes } from '../requests/fields.ts'
import type { OutboundExchange, OutboundRequest } from '../requests/outbound.ts'
import { endWhenSilent } from './answer-silence.ts'
import { guarded } from './guarded.ts'
import { sendH1, type Upgraded, upgradeH1 } from './outbound-h1.ts'
import { type OutboundStream, sendH2 } from './outbound-h2.ts'
import { secure } from './tls/host-tls.ts'
import { Turns } from './turns.ts'
import type { Windows } from './windows.ts'

export interface UpstreamOptions {
  readonly host: string
  readonly tls: boolean
  /** Resolves, judges and dials. Rejects with `RefusedError`. */
  readonly reach: (signal: AbortSignal) => Promise<{ readonly socket: Socket; readonly target: Target }>
  readonly roots: () => SecureContext
  readonly handshakeMs: number
  /** Milliseconds for which a PING may stay unanswered, see `endWhenSilent`. */
  readonly silentMs: number
  readonly windows: Windows
}

/** Maximum number of idle connections kept for one host, and the time for which they are kept. */
const maxIdle = 64
const idleMs = 60_000
/** Maximum number of simultaneous HTTP/1.1 requests to one host. Further ones wait. */
const maxSockets = 256
/** Maximum number of connections that are being opened. With more of them, some could run into their timeouts. */
const maxDials = 16
const maxSessions = 16

interface Session {
  readonly address: string
  readonly open: Set<OutboundStream>
}

/** The open connections of one cell to one inspected host: HTTP/2 sessions if the host supports them, otherwise kept-alive HTTP/1.1. */
export class Upstream {
  readonly #options: UpstreamOptions
  readonly #closing = new AbortController()
  readonly #sessions = new Map<ClientHttp2Session, Session>()
  readonly #agent: Agent
  readonly #sockets = new Set<Duplex>()
  #spare: Socket | null = null
  #address = ''
  readonly #dials = new Turns(maxDials)
  readonly #turns = new Turns(maxSockets)
  #speaks: 'h1' | 'h2' | null
  #dialling: Promise<ClientHttp2Session | null> | null = null

  constructor(options: UpstreamOptions) {
    this.#options = options
    this.#speaks = options.tls ? null : 'h1'
    this.#agent = new DialAgent(async () => this.#takeSpare() ?? (await this.#dial(['http/1.1'])))
  }

  /** Sends a request over the protocol that the host supports. Rejects with `RefusedError` if the host cannot be reached. */
  async send(request: OutboundRequest): Promise<OutboundExchange> {
    const session = this.#speaks === 'h1' ? null : await this.#session()
    if (session === null) return this.#sendH1(request)
    const state = this.#sessions.get(session)
    const exchange = sendH2(session, state?.address ?? '', request)
    if (state !== undefined) {
      state.open.add(exchange)
      this.#options.windows.opened()
      exchange.body.once('close', () => {
        state.open.delete(exchange)
        this.#options.windows.closed()
      })
    }
    return exchange
  }

  /** Limits the requests itself, because the agent's limit does not apply to connections that are still being opened. */
  async #sendH1(request: OutboundRequest): Promise<OutboundExchange> {
    const done = await this.#turns.take()
    try {
      request.signal.throwIfAborted()
      const exchange = sendH1(this.#agent, () => this.#address, request)
      exchange.body.once('close', done)
      return exchange
    } catch (error) {
      done()
      throw error
    }
  }

  /** Sends a websocket request, always over HTTP/1.1. */
  upgrade(request: OutboundRequest): Promise<Upgraded> {
    return upgradeH1(this.#agent, request)
  }

  get address(): string {
    return this.#address
  }

  close(): void {
    this.#closing.abort()
    this.#agent.destroy()
    for (const session of this.#sessions.keys()) session.destroy()
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Returns a session with room, or null if the host supports only HTTP/1.1. */
  async #session(): Promise<ClientHttp2Session | null> {
    for (const [session, { open }] of this.#sessions) {
      const room = Math.min(session.remoteSettings?.maxConcurrentStreams ?? 100, 1_000)
      if (!session.closed && !session.destroyed && (open.size < room || this.#sessions.size >= maxSessions)) return session
    }
    this.#dialling ??= this.#open().finally(() => {
      this.#dialling = null
    })
    return this.#dialling
  }

  async #open(): Promise<ClientHttp2Session | null> {
    const socket = await this.#dial(['h2', 'http/1.1'])
    if ((socket as TLSSocket).alpnProtocol !== 'h2') {
      this.#speaks = 'h1'
      this.#spare = socket
      socket.once('close', () => {
        if (this.#spare === socket) this.#spare = null
      })
      return null
    }
    this.#speaks = 'h2'
    const session = connectH2(`https://${this.#options.host}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: this.#options.windows.size, maxHeaderListSize: maxHeadBytes },
      maxReservedRemoteStreams: 0,
    })
    const broken = () => session.destroy()
    session.once(
      'connect',
      guarded(() => session.setLocalWindowSize(4 * 1_048_576), broken),
    )
    const open = new Set<OutboundStream>()
    session.setTimeout(idleMs)
    session.on(
      'timeout',
      guarded(() => {
        if (open.size === 0) session.close()
      }, broken),
    )
    endWhenSilent(session, () => open.size > 0, this.#options.silentMs)
    this.#options.windows.join(session)
    this.#sessions.set(session, { address: this.#address, open })
    const forget = () => void this.#sessions.delete(session)
    // A session notices the end only when its socket closes, and the socket allows half-open. Closing it here would drop answers that
    // are complete but not read yet.
    socket.once(
      'end',
      guarded(() => {
        forget()
        session.close()
        for (const exchange of open) exchange.hostLeft()
      }, broken),
    )
    session.on('error', forget)
    session.once('goaway', forget)
    session.once('close', forget)
    return session
  }

  #takeSpare(): Socket | null {
    const spare = this.#spare
    this.#spare = null
    return spare?.destroyed === false ? spare : null
  }

  async #dial(protocols: readonly string[]): Promise<Socket> {
    const done = await this.#dials.take()
    try {
      return await this.#connect(protocols)
    } finally {
      done()
    }
  }

  async #connect(protocols: readonly string[]): Promise<Socket> {
    const { host, tls, reach, roots, handshakeMs } = this.#options
    const { socket, target } = await reach(this.#closing.signal)
    this.#address = target.address
    const opened = tls
      ? await secure(socket, {
          host,
          protocols,
          roots: roots(),
          signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(handshakeMs)]),
        })
      : socket
    this.#sockets.add(opened.on('error', () => {}))
    opened.once('close', () => {
      this.#sockets.delete(opened)
      reset(socket)
    })
    return opened
  }
}

/** An agent whose connections are dialled and judged by the gateway. The names in its requests are not used for connecting. */
class DialAgent extends Agent {
  readonly #dial: () => Promise<Socket>

  constructor(dial: () => Promise<Socket>) {
    super({ keepAlive: true, maxFreeSockets: maxIdle, timeout: idleMs, scheduling: 'lifo' })
    this.#dial = dial
  }

  override createConnection(_options: ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void): null {
    this.#dial().then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as never),
    )
    return null
  }
}
