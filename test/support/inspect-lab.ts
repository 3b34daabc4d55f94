import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from 'node:http2'
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from 'node:tls'
import type { GatewayOptions } from '../../src/egress/cell-gateway.ts'
import { makeAuthority, makeIssuer } from '../../src/egress/inspect/tls/authority.ts'
import type { AllowEntry, HttpRule, Inspection } from '../../src/egress/policy/egress-policy.ts'
import { type EgressLab, openLab } from './egress-lab.ts'
import type { TestNetwork } from './netns.ts'

/** The CA of the tests' internet. */
export const internet = makeIssuer(['*'])

export interface InspectLab extends EgressLab {
  /** The CA that the cell trusts, PEM. */
  readonly ca: string
  /** Opens a TLS connection from inside the namespace. */
  tls(options?: ConnectionOptions): Promise<TLSSocket>
}

/** Parses a rule in the syntax of the tests: `deny POST,PUT /path`. */
export function rule(text: string): HttpRule {
  const [action = '', methods = '', path = ''] = text.split(' ')
  return { action: action as HttpRule['action'], methods: methods === '*' ? [] : methods.split(','), path, source: 'user' }
}

export const inspection = (...rules: string[]): Inspection => ({ rules: rules.map(rule), otherwise: 'allow' })

/** Starts a lab whose `a.example` is inspected under the given rules. */
export async function openInspectLab(
  network: TestNetwork,
  rules: readonly string[] = [],
  options: Partial<GatewayOptions> = {},
  entries: readonly (Partial<AllowEntry> & { host: string })[] = [],
): Promise<InspectLab> {
  const authority = makeAuthority(['a.example', '*.w.example'])
  const lab = await openLab(network, [{ host: 'a.example', ports: [443, 80], inspect: inspection(...rules) }, ...entries], {
    authority,
    extraRoots: [internet.certificate],
    ...options,
  })
  return Object.assign(lab, {
    ca: authority.certificate,
    async tls(more: ConnectionOptions = {}) {
      const socket = await network.connect('198.18.0.1', 443)
      // Like any HTTP client, it closes when the other side closes.
      socket.allowHalfOpen = false
      return tlsConnect({ socket, servername: 'a.example', ca: authority.certificate, ...more }).on('error', () => {})
    },
  })
}

/** Returns an HTTP/1.1 server over TLS as a connection handler. */
export function https1(listener: RequestListener, name = 'a.example'): ((socket: Socket) => void) & { readonly server: HttpsServer } {
  const server = createHttpsServer({ ...internet.issue(name), ALPNProtocols: ['http/1.1'] }, listener)
  server.on('tlsClientError', () => {})
  return Object.assign((socket: Socket) => void server.emit('connection', socket), { server })
}

/** Returns an HTTP/2-only server as a connection handler. */
export function https2(
  name = 'a.example',
  options: SecureServerOptions = {},
): ((socket: Socket) => void) & { readonly server: Http2SecureServer } {
  const server = createSecureServer({ ...internet.issue(name), ...options })
  server.on('sessionError', () => {})
  return Object.assign((socket: Socket) => void server.emit('connection', socket), { server })
}

export function http1(listener: RequestListener): (socket: Socket) => void {
  const server = createHttpServer(listener)
  return (socket) => void server.emit('connection', socket)
}
