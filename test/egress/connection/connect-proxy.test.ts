import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../../src/audit/event.ts'
import { openGateway } from '../../../src/egress/cell-gateway.ts'
import { readProxyRequest } from '../../../src/egress/connection/connect-proxy.ts'
import { connectTcp } from '../../../src/egress/connection/dial.ts'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import type { EgressPolicy } from '../../../src/egress/policy/egress-policy.ts'

const token = randomBytes(16).toString('hex')
const credentials = `Proxy-Authorization: Basic ${Buffer.from(`cell:${token}`).toString('base64')}\r\n`
const read = (text: string | Buffer) => readProxyRequest(Buffer.from(text), token)
const connectTo = (authority: string, host = authority, more = '') =>
  read(Buffer.from(`CONNECT ${authority} HTTP/1.1\r\nHost: ${host}\r\n${credentials}${more}\r\n`, 'latin1'))
const name = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/), fc.stringMatching(/^[a-z]{2,10}$/))
  .map(([label, domain]) => `${label}.${domain}`)

describe('a request to the proxy', () => {
  test('CONNECT names a host and a port, and what follows belongs to the host', () => {
    fc.assert(
      fc.property(name, fc.integer({ min: 1, max: 65_535 }), fc.uint8Array({ maxLength: 50 }), (host, port, rest) => {
        const head = Buffer.from(`CONNECT ${host.toUpperCase()}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n${credentials}\r\n`)
        const result = readProxyRequest(Buffer.concat([head, rest]), token)
        expect(result).toEqual({ kind: 'connect', host, port, rest: Buffer.from(rest) })
        for (const cut of [1, 20, head.length - 1]) expect(readProxyRequest(head.subarray(0, cut), token)).toEqual({ kind: 'need-more' })
      }),
    )
  })

  test('an absolute-form request becomes one for the host, without what is between client and proxy', () => {
    fc.assert(
      fc.property(name, fc.option(fc.integer({ min: 1, max: 65_535 })), fc.stringMatching(/^[a-z0-9/._-]{0,20}$/), (host, port, path) => {
        const authority = port === null ? host : `${host}:${port}`
        const result = read(
          `GET http://${authority}/${path} HTTP/1.1\r\nHost: ${authority}\r\nX-Kept: yes\r\nProxy-Connection: keep-alive\r\nConnection: keep-alive\r\n${credentials}\r\nrest`,
        )
        expect(result).toMatchObject({ kind: 'forward', host, port: port ?? 80 })
        const first = result.kind === 'forward' ? result.first.toString('latin1') : ''
        expect(first).toBe(`GET /${path} HTTP/1.1\r\nHost: ${authority}\r\nX-Kept: yes\r\nConnection: close\r\n\r\nrest`)
        expect(first).not.toMatch(/proxy/i)
      }),
    )
  })

  test('a query without a path gets one', () => {
    const result = read(`GET http://a.example?x=1 HTTP/1.1\r\nHost: a.example\r\n${credentials}\r\n`)
    expect(result.kind === 'forward' && result.first.toString()).toMatch(/^GET \/\?x=1 HTTP\/1\.1\r\n/)
  })

  test.each([
    ...['\0', '\r', '\n', '\r\n', '\t', ' ', '@', '/', '?', '#', '[', ']', '%', ':', '\\', '"', '\u00e4', '\u00ff', '..'].map(
      (odd) => `a${odd}b.example:443`,
    ),
    'a.example:0',
    'a.example:65536',
    'a.example:+443',
    'a.example:0443',
    'a.example',
    'a.example.:443',
    '127.0.0.1:443',
    '2130706433:443',
    '0x7f.1:443',
    '[::1]:443',
    '-a.example:443',
    ':443',
    'user@a.example:443',
  ])('CONNECT %j is refused', (authority) => {
    expect(connectTo(authority)).toMatchObject({ kind: 'refused' })
    expect(connectTo(authority, 'a.example:443')).toMatchObject({ kind: 'refused' })
  })

  test.each([
    ['another Host', `CONNECT a.example:443 HTTP/1.1\r\nHost: b.example:443\r\n${credentials}\r\n`],
    ['another port in Host', `CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:444\r\n${credentials}\r\n`],
    ['no Host', `CONNECT a.example:443 HTTP/1.1\r\n${credentials}\r\n`],
    ['two Hosts', `CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n${credentials}\r\n`],
    ['a body', `CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1\r\n${credentials}\r\n`],
    ['HTTP/1.0', `CONNECT a.example:443 HTTP/1.0\r\nHost: a.example\r\n${credentials}\r\n`],
    ['lower case', `connect a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n${credentials}\r\n`],
    ['a folded line', `CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n b\r\n${credentials}\r\n`],
    ['origin form', `GET / HTTP/1.1\r\nHost: a.example\r\n${credentials}\r\n`],
    ['https in absolute form', `GET https://a.example/ HTTP/1.1\r\nHost: a.example\r\n${credentials}\r\n`],
    ['a Host that is not the target', `GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\n${credentials}\r\n`],
    ['a user in the target', `GET http://u:p@a.example/ HTTP/1.1\r\nHost: a.example\r\n${credentials}\r\n`],
    ['an address', `GET http://127.0.0.1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n${credentials}\r\n`],
    ['an upgrade', `GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\n${credentials}\r\n`],
    [
      'a length beside chunks',
      `POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${credentials}\r\n`,
    ],
  ])('%s is refused', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'refused', status: 400 })
  })

  test.each([
    ['none', ''],
    ['another token', `Proxy-Authorization: Basic ${Buffer.from(`cell:${'0'.repeat(32)}`).toString('base64')}\r\n`],
    ['another user', `Proxy-Authorization: Basic ${Buffer.from(`root:${token}`).toString('base64')}\r\n`],
    ['two', credentials + credentials],
    ['for the host', credentials.replace('Proxy-', '')],
    ['another scheme', credentials.replace('Basic', 'Bearer')],
  ])('credentials: %s', (_, line) => {
    expect(read(`CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n${line}\r\n`)).toMatchObject({ kind: 'refused', status: 407 })
  })

  test('no bytes make it throw, wait for more than 64 KiB, or name what is not a name', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }))
        .map(([target, field]) =>
          Buffer.from(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${credentials}X: ${field}\r\n\r\n`, 'latin1'),
        ),
      fc
        .string({ unit: 'binary', maxLength: 40 })
        .map((target) => Buffer.from(`GET http://${target} HTTP/1.1\r\nHost: ${target}\r\n${credentials}\r\n`, 'latin1')),
    )
    fc.assert(
      fc.property(hostile, (bytes) => {
        const result = readProxyRequest(bytes, token)
        if (result.kind !== 'connect' && result.kind !== 'forward') return
        expect(result.host).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/)
        expect(result.port).toBeGreaterThan(0)
        expect(result.port).toBeLessThan(65_536)
      }),
      { numRuns: 500 },
    )
    expect(readProxyRequest(Buffer.alloc(70_000, 'a'), token)).toMatchObject({ kind: 'refused', status: 431 })
  })
})

describe('the proxy of a gateway', () => {
  test('curl reaches what is allowed through it, and nothing else', async () => {
    await using lab = await makeProxy()
    const { web, tls } = lab
    expect(await lab.curl(`http://a.example:${web}/path`)).toMatchObject({ code: 0, body: `a.example:${web}/path close` })
    expect(await lab.curl('-k', `https://a.example:${tls}/`)).toMatchObject({ code: 0, body: 'over TLS' })
    expect(await lab.curl('-p', `http://a.example:${web}/tunnel`)).toMatchObject({ code: 0, body: `a.example:${web}/tunnel keep-alive` })
    // Denied names are never looked up.
    expect((await lab.curl(`http://b.example:${web}/`)).status).toBe(403)
    expect((await lab.curl('-k', `https://b.example:${tls}/`)).code).not.toBe(0)
    expect((await lab.curl(`http://127.0.0.1:${web}/`)).status).toBe(400)
    expect(lab.resolved).toEqual(['a.example', 'a.example', 'a.example'])
    // An allowed name that resolves to an internal address.
    const inside = await lab.curl(`http://inside.example:${web}/`)
    expect([inside.status, inside.body]).toEqual([
      403,
      `paddock: denied (internal-address): inside.example:${web}: the name means an internal address, and is not pinned\n`,
    ])
    expect(lab.events.filter((each) => each.kind === 'egress.deny').map((each) => each.data['reason'])).toEqual([
      'not-allowed',
      'not-allowed',
      'malformed',
      'internal-address',
    ])
  })

  test('a client without a token is asked for it, and gets nothing', async () => {
    await using lab = await makeProxy()
    expect((await lab.curlWith('', `http://a.example:${lab.web}/`)).status).toBe(407)
    expect((await lab.curlWith('cell:wrong@', `http://a.example:${lab.web}/`)).status).toBe(407)
    expect(lab.resolved).toEqual([])
  })

  test('another name in TLS or in the second request of a tunnel is refused', async () => {
    await using lab = await makeProxy()
    const socket = connect(lab.port, '127.0.0.1')
    socket.write(`CONNECT a.example:${lab.web} HTTP/1.1\r\nHost: a.example:${lab.web}\r\n${credentials}\r\n`)
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.write(`GET / HTTP/1.1\r\nHost: a.example:${lab.web}\r\n\r\n`)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/)
    const closed = new Promise((resolve) => socket.once('error', resolve).once('close', resolve))
    socket.write('GET / HTTP/1.1\r\nHost: b.example\r\n\r\n')
    await closed
    expect(lab.events.some((each) => each.kind === 'egress.deny' && each.data['reason'] === 'host-mismatch')).toBe(true)
    expect(
      (await lab.curl('-k', '--connect-to', `b.example:${lab.tls}:a.example:${lab.tls}`, `https://b.example:${lab.tls}/`)).code,
    ).not.toBe(0)
    expect(lab.events.some((each) => each.kind === 'egress.deny' && each.data['reason'] === 'sni-mismatch')).toBe(true)
  })

  test('a client that leaves in the middle leaves nothing behind', async () => {
    const lab = await makeProxy()
    const socket = connect(lab.port, '127.0.0.1').on('error', () => undefined)
    socket.write('CONNECT a.exa')
    await once(socket, 'connect')
    socket.destroy()
    await lab[Symbol.asyncDispose]()
  })
})

/** Starts a gateway whose proxy listens on this machine's loopback. 93.184.216.34 is mapped to servers there. */
async function makeProxy() {
  const http = createHttpServer((request, response) =>
    response.end(`${request.headers.host}${request.url} ${request.headers.connection ?? 'keep-alive'}`),
  )
  const issuer = makeIssuer(['a.example'])
  const tlsServer = createTlsServer({ ...issuer.issue('a.example') }, (socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nover TLS'))
  })
  tlsServer.on('tlsClientError', () => undefined)
  const front = createServer({ allowHalfOpen: true, pauseOnConnect: true })
  for (const each of [http, tlsServer, front]) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
  const [web, tls] = [portOf(http), portOf(tlsServer)]
  const resolved: string[] = []
  const events: AuditEvent[] = []
  const policy: EgressPolicy = {
    mode: 'allowlist',
    entries: ['a.example', 'inside.example'].map((host) => ({ host, ports: [web, tls], internal: false, source: 'user' })),
  }
  const gateway = openGateway({
    cell: 'test',
    policy,
    audit: (event) => events.push(event),
    resolver: {
      resolve: async (asked) => {
        if (asked !== 'inside.example') resolved.push(asked)
        return [{ address: asked === 'inside.example' ? '10.1.2.3' : '93.184.216.34', family: 4 }]
      },
    },
    connect: ({ port }, signal) => connectTcp({ address: '127.0.0.1', family: 4, port }, signal),
  })
  const port = portOf(front)
  gateway.serveProxy(front, token)
  const curlWith = async (user: string, ...args: readonly string[]) => {
    const all = ['-sS', '--max-time', '20', '-x', `http://${user}127.0.0.1:${port}`, '-w', '\n%{http_code}', ...args]
    const { stdout, code } = await promisify(execFile)('curl', all, { env: { PATH: process.env['PATH'] ?? '' } }).then(
      (done) => ({ stdout: done.stdout, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    )
    const at = stdout.lastIndexOf('\n')
    return { code, body: stdout.slice(0, at), status: Number(stdout.slice(at + 1)) }
  }
  return {
    port,
    web,
    tls,
    resolved,
    events,
    curlWith,
    curl: (...args: readonly string[]) => curlWith(`cell:${token}@`, ...args),
    [Symbol.asyncDispose]: async () => {
      await gateway.close()
      http.closeAllConnections()
      for (const each of [http, tlsServer]) await new Promise((resolve) => each.close(resolve))
    },
  }
}
