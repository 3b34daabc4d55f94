import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { UpstreamProxy } from '../../../src/egress/connection/dial.ts'
import { relay } from '../../../src/egress/connection/relay.ts'
import { reset } from '../../../src/egress/connection/reset.ts'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { openUpstream } from '../../../src/egress/upstream/upstream-proxy.ts'
import { readUpstream } from '../../../src/egress/upstream/upstream-settings.ts'
import { setWayOut } from '../../../src/egress/upstream/way-out.ts'
import { Secret } from '../../../src/secrets/secret.ts'
import { openProxy, type ProxyOptions, type ProxyServer } from '../../support/proxy-server.ts'

const stack = new AsyncDisposableStack()
const soon = (): AbortSignal => AbortSignal.timeout(20_000)

/** A server that answers with what it got, after a line of its own. */
async function speaking(): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => undefined).end('220 hello\n')).listen(0, '127.0.0.1')
  stack.defer(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The two ends of a connection. */
async function pair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  stack.defer(() => void server.close())
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  const [inside] = (await once(server, 'connection')) as [Socket]
  return [client, inside.on('error', () => undefined)]
}

async function proxied(
  options: ProxyOptions,
  { login = '', scheme = 'http', auth }: { login?: string; scheme?: string; auth?: string } = {},
): Promise<{ proxy: ProxyServer; upstream: UpstreamProxy }> {
  const proxy = stack.use(await openProxy(options))
  const at = login === '' ? '' : `${login}@`
  const settings = readUpstream({ proxy: `${scheme}://${at}127.0.0.1:${proxy.port}`, ...(auth === undefined ? {} : { auth }) }, {})
  const upstream = openUpstream(settings, { login: async () => Secret.fromText('login', 'me:from the vault') })
  if (upstream === null) throw new Error('no proxy')
  return { proxy, upstream }
}

const text = async (socket: Socket): Promise<string> => {
  let all = ''
  for await (const chunk of socket) all += String(chunk)
  return all
}

afterEach(() => setWayOut(null))

describe('a proxy', () => {
  it('connects by name, and loses nothing that the host says first', async () => {
    const { proxy, upstream } = await proxied({ reaches: { 'mail.example:25': await speaking(), '2001:db8::1:25': 1 } })
    expect(await text(await upstream.connect('mail.example', 25, soon()))).toBe('220 hello\n')
    expect(proxy.asked).toEqual(['mail.example:25 200'])
  })

  it.each([
    ['of its URL', 'me:p%40ss', undefined, 'me:p@ss'],
    ['of a secret', '', 'vault:proxy', 'me:from the vault'],
    ['of a secret rather than of its URL', 'other:one', 'vault:proxy', 'me:from the vault'],
  ])('gets the login %s', async (_, login, auth, expected) => {
    const { upstream } = await proxied(
      { login: expected, reaches: { 'mail.example:25': await speaking() } },
      { login, ...(auth ? { auth } : {}) },
    )
    expect(await text(await upstream.connect('mail.example', 25, soon()))).toBe('220 hello\n')
  })

  const head = (text: string) => (socket: { end(text: string): unknown }) => socket.end(text) !== null
  it.each<[string, Partial<ProxyOptions>, string, RegExp]>([
    ['refuses', {}, '', /^the proxy http:\/\/127\.0\.0\.1:\d+ refuses to connect to other\.example:443 \(403\)$/],
    ['asks for a login', { login: 'me:pass' }, '', /asks for a login \(407\)$/],
    ['does not accept a login', { login: 'me:pass' }, 'me:wrong', /does not accept the login \(407\)$/],
    [
      'asks for NTLM',
      { instead: head('HTTP/1.1 407 x\r\nProxy-Authenticate: NTLM\r\n\r\n') },
      '',
      /asks for a login by NTLM, which Paddock does not support/,
    ],
    [
      'asks for Kerberos',
      { instead: head('HTTP/1.1 407 x\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n\r\n') },
      '',
      /asks for a login by Kerberos or NTLM/,
    ],
    ['answers with garbage', { instead: head('\u0016\u0003\u0001 garbage\r\n\r\n') }, '', /did not answer as an HTTP proxy$/],
    ['answers with HTTP of another kind', { instead: head('HTTP/1.1 999 x\r\n\r\n') }, '', /did not answer as an HTTP proxy$/],
    ['answers with an endless head', { instead: head(`HTTP/1.1 200 ${'x'.repeat(100_000)}`) }, '', /did not answer as an HTTP proxy$/],
    ['closes', { instead: head('') }, '', /closed the connection without an answer$/],
    ['closes within its head', { instead: head('HTTP/1.1 200 OK\r\n') }, '', /closed the connection without an answer$/],
  ])('that %s is named with the reason', async (_, options, login, expected) => {
    const { upstream } = await proxied({ reaches: {}, ...options }, { login })
    const failed = await upstream.connect('other.example', 443, soon()).catch((error: Error) => error)
    expect((failed as Error).message).toMatch(expected)
    expect((failed as Error).message).not.toMatch(/pass|wrong|garbage/)
  })

  it('that hangs is left when the caller gives up', async () => {
    const { upstream } = await proxied({ reaches: {}, instead: () => true })
    const giveUp = new AbortController()
    const asked = upstream.connect('other.example', 443, giveUp.signal)
    setImmediate(() => giveUp.abort(new Error('enough')))
    await expect(asked).rejects.toThrow('enough')
  })

  it('that is not there is named', async () => {
    const { proxy, upstream } = await proxied({ reaches: {} })
    await proxy[Symbol.asyncDispose]()
    await expect(upstream.connect('a.example', 443, soon())).rejects.toThrow(
      /^the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached \(connect ECONNREFUSED/,
    )
  })

  it('over TLS must have a certificate that the user trusts', async () => {
    const issuer = makeIssuer(['*'])
    const port = await speaking()
    const server = createTlsServer(issuer.issue('localhost'), (socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          socket.end(`to ${port}`)
        })
    }).listen(0, '127.0.0.1')
    stack.defer(() => void server.close())
    await once(server, 'listening')
    const settings = readUpstream({ proxy: `https://localhost:${(server.address() as AddressInfo).port}` }, {})
    const upstream = openUpstream(settings, { login: () => Promise.reject(new Error('unused')) })
    await expect(upstream?.connect('a.example', 443, soon())).rejects.toThrow(/cannot be reached \((?:self-signed|unable to)/)
    const added = { certificates: [issuer.certificate], files: [], problems: [] }
    setWayOut({ settings, upstream, added: () => added })
    const socket = await upstream?.connect('a.example', 443, soon())
    expect(socket === undefined ? '' : await text(socket)).toBe(`to ${port}`)
  })

  it('over TLS has its connections reset, so that it mistakes none for a complete one', async () => {
    const issuer = makeIssuer(['*'])
    const { promise: cut, resolve } = Promise.withResolvers<unknown>()
    const server = createTlsServer(issuer.issue('localhost'), (socket) => {
      socket.once('error', resolve).once('end', () => resolve('a complete stream'))
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    }).listen(0, '127.0.0.1')
    stack.defer(() => void server.close())
    await once(server, 'listening')
    const settings = readUpstream({ proxy: `https://localhost:${(server.address() as AddressInfo).port}` }, {})
    const upstream = openUpstream(settings, { login: () => Promise.reject(new Error('unused')) })
    setWayOut({ settings, upstream, added: () => ({ certificates: [issuer.certificate], files: [], problems: [] }) })
    const socket = await upstream?.connect('a.example', 443, soon())
    if (socket === undefined) throw new Error('no proxy')
    const [client, inside] = await pair()
    const ended = relay(inside, socket)
    client.resetAndDestroy()
    expect((await ended).how).toBe('reset')
    expect(await cut).toMatchObject({ code: 'ECONNRESET' })
    reset(socket)
  })

  it('is asked by name for hosts that resolve and for hosts that do not, and not for exceptions', () => {
    const settings = readUpstream({ proxy: 'http://p.example', noProxy: ['corp.example', '10.0.0.0/8'] }, {})
    const upstream = openUpstream(settings, { login: () => Promise.reject(new Error('unused')) })
    const address = { address: '93.184.216.34', family: 4 as const }
    expect(upstream?.target('a.example', 443, [address])).toEqual({ ...address, port: 443, viaProxy: 'a.example' })
    expect(upstream?.target('a.example', 443, [])).toMatchObject({ viaProxy: 'a.example', address: '' })
    expect(upstream?.target('wiki.corp.example', 443, [])).toBeNull()
    expect(upstream?.target('a.example', 443, [{ address: '10.0.0.1', family: 4 }])).toBeNull()
    expect(openUpstream(readUpstream({ proxy: 'none' }, {}), { login: () => Promise.reject(new Error('unused')) })).toBeNull()
  })
})
