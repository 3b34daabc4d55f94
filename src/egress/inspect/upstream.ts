import { Agent, type ClientRequestArgs } from 'node:http'
import { type ClientHttp2Session, connect as connectH2 } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { messageOf } from '../../errors.ts'
import type { Target } from '../dial.ts'
import { RefusedError } from '../http-guard.ts'
import { reset } from '../reset.ts'
import { maxHeadBytes } from './fields.ts'
import { guarded } from './guarded.ts'
import type { OutboundExchange, OutboundRequest } from './outbound.ts'
import { sendH1, type Upgraded, upgradeH1 } from './outbound-h1.ts'
import { sendH2 } from './outbound-h2.ts'
import { Turns } from './turns.ts'
import type { Windows } from './windows.ts'

export interface UpstreamOptions {
  readonly host: string
  readonly tls: boolean
  /** Resolves, judges and dials; rejects with `RefusedError`. */
  readonly reach: (signal: AbortSignal) => Promise<{ readonly socket: Socket; readonly target: Target }>
  readonly roots: () => SecureContext
  readonly handshakeMs: number
  readonly windows: Windows
}

/** Kept connections of one host that nobody uses, and how long they are kept. */
const maxIdle = 64
const idleMs = 60_000
/** Requests that one host is sent over HTTP/1.1 at once; further ones wait. */
const maxSockets = 256
/** Connections that are being opened at once, so that a flood of them does not run out of time. */
const maxDials = 16
const maxSessions = 16

/** The connections of one cell to one inspected host, kept warm: HTTP/2 sessions where the host speaks it, else kept-alive HTTP/1.1. */
export class Upstream {
  readonly #options: UpstreamOptions
  readonly #closing = new AbortController()
  readonly #sessions = new Map<ClientHttp2Session, { readonly address: string; open: number }>()
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

  /** Sends a request over whatever the host speaks. Rejects with `RefusedError` where the host cannot be reached as it should. */
  async send(request: OutboundRequest): Promise<OutboundExchange> {
    const session = this.#speaks === 'h1' ? null : await this.#session()
    if (session === null) return this.#sendH1(request)
    const state = this.#sessions.get(session)
    const exchange = sendH2(session, state?.address ?? '', request)
    if (state !== undefined) {
      state.open++
      this.#options.windows.opened()
      exchange.body.once('close', () => {
        state.open--
        this.#options.windows.closed()
      })
    }
    return exchange
  }

  /** The agent's own limit does not hold for connections that take their time to open. */
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

  /** Asks for a websocket, which only HTTP/1.1 is asked for here. */
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

  /** A session with room, or null where the host turns out to speak HTTP/1.1. */
  async #session(): Promise<ClientHttp2Session | null> {
    for (const [session, { open }] of this.#sessions) {
      const room = Math.min(session.remoteSettings?.maxConcurrentStreams ?? 100, 1_000)
      if (!session.closed && !session.destroyed && (open < room || this.#sessions.size >= maxSessions)) return session
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
    const idle = guarded(() => {
      if (this.#sessions.get(session)?.open === 0) session.close()
    }, broken)
    session.setTimeout(idleMs, idle)
    this.#options.windows.join(session)
    this.#sessions.set(session, { address: this.#address, open: 0 })
    const forget = () => void this.#sessions.delete(session)
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

/** An agent whose connections are dialled and judged by the gateway; the names in its requests lead nowhere. */
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

/** TLS on a connection that stands; the name must be the certificate's and its issuer among the roots. */
function secure(
  socket: Socket,
  options: {
    readonly host: string
    readonly protocols: readonly string[]
    readonly roots: SecureContext
    readonly signal: AbortSignal
  },
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const { host, protocols, roots, signal } = options
  const secured = tlsConnect({ socket, servername: host, ALPNProtocols: [...protocols], secureContext: roots, rejectUnauthorized: true })
  const fail = (error: NodeJS.ErrnoException) => {
    signal.removeEventListener('abort', late)
    const untrusted = secured.authorizationError !== null && secured.authorizationError !== undefined
    reject(new RefusedError({ reason: untrusted ? 'bad-certificate' : 'unreachable', detail: messageOf(error) }))
    secured.destroy()
    reset(socket)
  }
  const late = () => fail(new Error('no TLS handshake in time'))
  secured.on('error', fail)
  secured.once('close', () => fail(new Error('the host ended the TLS handshake')))
  secured.once('secureConnect', () => {
    signal.removeEventListener('abort', late)
    secured.off('error', fail)
    resolve(secured)
  })
  signal.addEventListener('abort', late, { once: true })
  return promise
}
