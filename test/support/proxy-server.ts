import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket, type Server as TcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { makeIssuer } from '../../src/egress/inspect/tls/authority.ts'

export interface ProxyOptions {
  /** USER:PASSWORD that clients must send. */
  readonly login?: string
  /** Ports on loopback for the names and addresses that the proxy reaches, as HOST:PORT. All others are refused with 403. */
  readonly reaches: Readonly<Record<string, number>>
  /** Ends TLS for port 443 with certificates of this authority, as an intercepting proxy does, and speaks TLS with the host itself. */
  readonly intercepts?: ReturnType<typeof makeIssuer>
  /** Answers a CONNECT in another way; returns false for the ordinary one. */
  readonly instead?: (socket: Duplex) => boolean
  /** A listener that is served; absent: one on loopback is opened. */
  readonly listener?: TcpServer
}

/** A real forward proxy on loopback that serves CONNECT. */
export interface ProxyServer extends AsyncDisposable {
  readonly port: number
  /** The CONNECT requests with their answers: `api.example:443 200`. */
  readonly asked: string[]
}

export async function openProxy({ login, reaches, intercepts, instead, listener }: ProxyOptions): Promise<ProxyServer> {
  const asked: string[] = []
  const open = new Set<Duplex>()
  const track = <T extends Duplex>(stream: T): T => {
    open.add(stream)
    return stream.on('error', () => undefined).once('close', () => open.delete(stream)) as T
  }
  const server = createServer((_, response) => response.writeHead(400).end())
  server.on('connection', track)
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    track(client)
    const answer = (status: number, text = '', fields = ''): void => {
      asked.push(`${request.url} ${status}`)
      client.write(`HTTP/1.1 ${status} ${text}\r\n${fields}\r\n`)
      if (status !== 200) client.end()
    }
    if (instead?.(client) === true) return void asked.push(`${request.url} instead`)
    const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
    if (request.headers['proxy-authorization'] !== expected) return answer(407, 'Login', 'Proxy-Authenticate: Basic realm="corp"\r\n')
    const port = reaches[request.url ?? '']
    if (port === undefined) return answer(403, 'Forbidden')
    if (head.length > 0) client.unshift(head)
    answer(200, 'Connection established')
    const name = request.url?.replace(/:\d+$/, '') ?? ''
    const upstream = track(connect(port, '127.0.0.1'))
    if (intercepts === undefined || request.url?.endsWith(':443') === false) return void client.pipe(upstream).pipe(client)
    const { cert, key } = intercepts.issue(name)
    const inside = track(
      new TLSSocket(client as Socket, { isServer: true, ALPNProtocols: ['http/1.1'], secureContext: createSecureContext({ cert, key }) }),
    )
    const outside = track(
      new TLSSocket(upstream, { isServer: false, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], servername: name } as never),
    )
    inside.pipe(outside).pipe(inside)
  })
  if (listener === undefined) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  } else listener.on('connection', (socket) => server.emit('connection', socket))
  return {
    port: ((listener ?? server).address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const each of open) each.destroy()
      const closing = listener ?? server
      closing.close()
      await once(closing, 'close')
    },
  }
}
