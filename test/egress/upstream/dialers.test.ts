import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, get } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { httpsTransport } from '../../../src/credentials/refresh/transport.ts'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { OutAgent } from '../../../src/egress/upstream/out-connection.ts'
import { outFetch } from '../../../src/egress/upstream/out-fetch.ts'
import { openUpstream } from '../../../src/egress/upstream/upstream-proxy.ts'
import { readUpstream } from '../../../src/egress/upstream/upstream-settings.ts'
import { setWayOut } from '../../../src/egress/upstream/way-out.ts'
import { WebSocket } from '../../../src/fleet/discord/out-websocket.ts'
import { boundedFetch } from '../../../src/fleet/model/bounded-fetch.ts'
import { sender } from '../../../src/fleet/webhooks/send.ts'
import { internet } from '../../support/inspect-lab.ts'
import { openProxy, type ProxyServer } from '../../support/proxy-server.ts'

const corporate = makeIssuer(['*'])

/** The hosts are `*.test`, which nothing here resolves. */
describe('what Paddock itself connects to, behind a proxy that ends TLS', () => {
  let open: AsyncDisposableStack
  let proxy: ProxyServer
  /** The ends of connections with a status that does not exist. */
  let odd: string[]
  beforeEach(async () => {
    odd = []
    open = new AsyncDisposableStack()
    const serve = async (server: Server): Promise<number> => {
      server.listen(0, '127.0.0.1')
      open.defer(() => void server.close())
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    }
    const secure = createServer(internet.issue('api.test'), async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      if (request.url === '/switch')
        return void response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
      if (request.url?.startsWith('/status/'))
        return void response.socket
          ?.once('close', () => odd.push('closed'))
          .write(`HTTP/1.1 ${request.url.slice(8)} Odd\r\nContent-Length: 1000\r\n\r\nstart`)
      response.writeHead(request.url === '/none' ? 204 : 200, { 'x-host': request.headers.host ?? '' })
      response.end(request.url === '/none' ? '' : `${request.method} ${request.url} ${body}`)
    })
    const webSockets = new WebSocketServer({ server: secure })
    webSockets.on('connection', (socket) => socket.send('hello'))
    open.defer(() => webSockets.close())
    const port = await serve(secure)
    const plain = await serve(createHttpServer((_, response) => void response.end('plain')))
    proxy = open.use(
      await openProxy({ login: 'me:pass', reaches: { 'api.test:443': port, 'plain.test:80': plain }, intercepts: corporate }),
    )
    const settings = readUpstream({ proxy: `http://me:pass@127.0.0.1:${proxy.port}` }, {})
    const added = { certificates: [corporate.certificate], files: [], problems: [] }
    setWayOut({ settings, upstream: openUpstream(settings, { login: () => Promise.reject(new Error('unused')) }), added: () => added })
  })
  afterEach(async () => {
    setWayOut(null)
    await open.disposeAsync()
  })

  it('a fetch sends its body and gets its answer, over TLS and without', async () => {
    const answer = await outFetch('https://api.test/x?y', { method: 'PUT', body: 'content', headers: { 'x-one': '1' } })
    expect([answer.status, answer.headers.get('x-host'), await answer.text()]).toEqual([200, 'api.test', 'PUT /x?y content'])
    expect(await (await outFetch('http://plain.test/')).text()).toBe('plain')
    expect((await outFetch('https://api.test/none')).body).toBeNull()
    expect(proxy.asked).toEqual(['api.test:443 200', 'plain.test:80 200', 'api.test:443 200'])
  })

  it('a fetch is aborted, and its error has the cause', async () => {
    await expect(outFetch('https://api.test/', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    const failed = await outFetch('https://other.test/').catch((error: Error) => error)
    expect(String((failed as Error).cause)).toMatch(/refuses to connect to other\.test:443 \(403\)/)
  })

  it('an answer that switches to another protocol fails at once', async () => {
    const failed = await outFetch('https://api.test/switch').catch((error: Error) => error)
    expect(String((failed as Error).cause)).toContain('closed without an answer')
    const token = { url: new URL('https://api.test/switch'), headers: {}, body: Buffer.alloc(0) }
    await expect(httpsTransport()(token)).rejects.toThrow('api.test could not be reached (it answered with another protocol)')
  })

  it.each(['999', '600', '099'])('an answer with the status %s fails, and its connection is closed', async (status) => {
    const failed = await outFetch(`https://api.test/status/${status}`).catch((error: Error) => error)
    expect([String(failed), String((failed as Error).cause)]).toEqual([
      'TypeError: fetch failed',
      expect.stringContaining(`status ${Number(status)}, which does not exist`),
    ])
    await expect.poll(() => odd).toEqual(['closed'])
  })

  it('a model is asked', async () => {
    expect(await (await boundedFetch([])('https://api.test/v1', { method: 'POST', body: '{}' })).text()).toBe('POST /v1 {}')
  })

  it('a token is refreshed, and the reason is named if the proxy refuses', async () => {
    const ask = httpsTransport()
    const answer = await ask({ url: new URL('https://api.test/token'), headers: {}, body: Buffer.from('grant') })
    expect(answer.body.toString()).toBe('POST /token grant')
    const refused = ask({ url: new URL('https://other.test/token'), headers: {}, body: Buffer.from('grant') })
    await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(/^the proxy .* \(403\)$/), mayHaveArrived: false })
  })

  it('a webhook is delivered to a host that only the proxy resolves, and the reason is named if it refuses', async () => {
    const send = sender()
    const delivery = { headers: {}, body: Buffer.from('event') }
    expect(await send('https://api.test/hook', delivery as never, AbortSignal.timeout(20_000))).toEqual({ status: 200, problem: null })
    expect(await send('https://other.test/hook', delivery as never, AbortSignal.timeout(20_000))).toEqual({
      status: null,
      problem: `The proxy http://127.0.0.1:${proxy.port} refuses to connect to other.test:443 (403).`,
    })
  })

  it('the vault of Azure is reached by its agent', async () => {
    const request = get('https://api.test/secrets', { agent: new OutAgent() })
    const [response] = await once(request, 'response')
    let text = ''
    for await (const chunk of response) text += String(chunk)
    expect(text).toBe('GET /secrets ')
  })

  it('the WebSocket of Discord is opened', async () => {
    const socket = new WebSocket('wss://api.test/?v=10', [], {})
    const [message] = await once(socket, 'message')
    expect(String(message)).toBe('hello')
    socket.terminate()
    expect(proxy.asked).toEqual(['api.test:443 200'])
  })

  it('certificates are still verified', async () => {
    const settings = readUpstream({ proxy: `http://me:pass@127.0.0.1:${proxy.port}` }, {})
    setWayOut({
      settings,
      upstream: openUpstream(settings, { login: () => Promise.reject(new Error('unused')) }),
      added: () => ({ certificates: [], files: [], problems: [] }),
    })
    await expect(outFetch('https://api.test/')).rejects.toThrow('fetch failed')
    const token = { url: new URL('https://api.test/'), headers: {}, body: Buffer.alloc(0) }
    await expect(httpsTransport()(token)).rejects.toThrow('the certificate of api.test was not accepted')
    expect(await sender()('https://api.test/', { headers: {}, body: Buffer.alloc(0) } as never, AbortSignal.timeout(20_000))).toMatchObject(
      { status: null },
    )
  })
})
