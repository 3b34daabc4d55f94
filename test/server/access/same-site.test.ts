import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, type TestServer, testServer } from '../../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({}, { public: ['paddock.example', 'other.example:8443'], tlsProxy: true })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Sends raw bytes and returns the answer, for requests that no client library would send. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.end(text.replaceAll('\n', '\r\n')))
    let all = ''
    socket.on('data', (chunk) => {
      all += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(all))
  })
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

describe('names of the server', () => {
  it('answers to its own names, port included, and to public ones', async () => {
    for (const host of [`127.0.0.1:${server.port}`, `localhost:${server.port}`, 'paddock.example', 'other.example:8443'])
      expect([host, (await server.ask('/healthz', { headers: { host } })).status]).toEqual([host, 200])
  })

  it('refuses every other Host, on each route and for upgrades, and names the option that adds one', async () => {
    const port = server.port
    const hosts = [
      '127.0.0.1',
      'localhost',
      `127.0.0.1:${port + 1}`,
      `localhost.:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `user@127.0.0.1:${port}`,
      `127.1:${port}`,
      `0x7f000001:${port}`,
      `2130706433:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `127.0.0.2:${port}`,
      `0.0.0.0:${port}`,
      `192.168.1.5:${port}`,
      `printer.local:${port}`,
      'paddock.example:443',
      'paddock.example.',
      `paddock.example:${port}`,
      'evil.paddock.example',
      'other.example',
      `127.0.0.1:${port},evil.example`,
    ]
    for (const host of hosts)
      for (const [path, headers] of [
        ['/healthz', {}],
        ['/nothing', {}],
        ['/api/v1/tokens', bearer(server.secrets.owner)],
        ['/api/v1/watch', { ...bearer(server.secrets.owner), ...upgrade }],
      ] as const) {
        const { status, json } = await server.ask(path, { headers: { ...headers, host } })
        expect([path, host, status, json?.code]).toEqual([path, host, 403, 'HOST_NOT_ALLOWED'])
        expect(json.hint).toContain('--public NAME')
      }
  })

  it('refuses several Host headers, none, and a target that holds a host', async () => {
    const own = `127.0.0.1:${server.port}`
    expect(await raw(`GET /healthz HTTP/1.1\nHost: ${own}\nHost: evil.example\nConnection: close\n\n`)).toContain('HOST_NOT_ALLOWED')
    expect(await raw('GET /healthz HTTP/1.1\nHost:\nConnection: close\n\n')).toContain('HOST_NOT_ALLOWED')
    expect(await raw('GET /healthz HTTP/1.0\n\n')).toContain('HOST_NOT_ALLOWED')
    expect(await raw('GET /healthz HTTP/1.1\n\n')).toMatch(/^HTTP\/1.1 400 /)
    expect(await raw(`GET http://${own}/healthz HTTP/1.1\nHost: ${own}\nConnection: close\n\n`)).toMatch(/^HTTP\/1.1 40[034] /)
    expect(await raw(`GET http://evil.example/healthz HTTP/1.1\nHost: ${own}\nConnection: close\n\n`)).toMatch(/^HTTP\/1.1 40[034] /)
    expect(await raw(`GET /healthz HTTP/1.1\nHost: ${own}\nX-Forwarded-Host: evil.example\nConnection: close\n\n`)).toMatch(
      /^HTTP\/1.1 200 /,
    )
    expect(await raw(`GET /healthz HTTP/1.1\nHost: evil.example\nX-Forwarded-Host: ${own}\nConnection: close\n\n`)).toMatch(
      /^HTTP\/1.1 403 /,
    )
  })
})

describe('pages', () => {
  it('of this server may use it, and of every other origin may not, even with a good token', async () => {
    const port = server.port
    const own = `http://127.0.0.1:${port}`
    const origins = [
      'null',
      '',
      `http://localhost:${port}`,
      'http://127.0.0.1',
      `http://127.0.0.1:${port + 1}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}.evil.example`,
      `http://user@127.0.0.1:${port}`,
      `HTTP://127.0.0.1:${port}`,
      `${own}, http://evil.example`,
      'http://evil.example',
      'https://paddock.example',
      'file://',
    ]
    const headers = bearer(server.secrets.owner)
    expect((await server.ask('/api/v1/session', { headers: { ...headers, origin: own } })).status).toBe(200)
    for (const origin of origins)
      for (const path of ['/api/v1/session', '/healthz', '/nothing']) {
        const { status, json } = await server.ask(path, { headers: { ...headers, origin } })
        expect([path, origin, status, json?.code]).toEqual([path, origin, 403, 'ORIGIN_NOT_ALLOWED'])
        expect(json.hint).toContain('--public NAME')
      }
    const upgraded = await server.ask('/api/v1/watch', { headers: { ...headers, ...upgrade, origin: 'http://evil.example' } })
    expect(upgraded.json.code).toBe('ORIGIN_NOT_ALLOWED')
  })

  it('under a public name have the origin of that name with TLS', async () => {
    const get = async (origin: string) => (await server.ask('/healthz', { headers: { host: 'paddock.example', origin } })).status
    expect(await get('https://paddock.example')).toBe(200)
    for (const origin of [
      'http://paddock.example',
      'https://paddock.example:443',
      'https://other.example:8443',
      `http://127.0.0.1:${server.port}`,
    ])
      expect([origin, await get(origin)]).toEqual([origin, 403])
  })

  it('of other sites and ports change nothing, although a browser may send their reads', async () => {
    const body = { name: 'forged', role: 'owner' }
    for (const from of ['cross-site', 'same-site', 'cross-origin', 'garbage']) {
      const headers = { ...bearer(server.secrets.owner), 'sec-fetch-site': from }
      expect((await server.ask('/api/v1/tokens', { headers, body })).json.code).toBe('ORIGIN_NOT_ALLOWED')
      expect((await server.ask('/api/v1/watch', { headers: { ...headers, ...upgrade } })).json.code).toBe('ORIGIN_NOT_ALLOWED')
      expect((await server.ask('/healthz', { headers })).status).toBe(200)
    }
    const headers = { ...bearer(server.secrets.owner), 'sec-fetch-site': 'same-origin' }
    expect((await server.ask('/api/v1/tokens/borrower/revoke', { method: 'POST', headers })).status).toBe(200)
    const forms = { ...bearer(server.secrets.owner), 'content-type': 'application/x-www-form-urlencoded' }
    expect((await server.ask('/api/v1/tokens', { headers: forms, body: 'name=forged&role=owner' })).status).toBe(415)
    expect(server.tokens.list().some(({ name }) => name === 'forged')).toBe(false)
    expect((await server.ask('/api/v1/tokens', { method: 'OPTIONS' })).headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('the Unix socket', () => {
  it('makes its peer the owner regardless of headers; TCP never does', async () => {
    expect((await server.askSocket('/api/v1/session')).json).toEqual({ kind: 'socket', name: 'socket', role: 'owner' })
    for (const headers of [{}, { 'x-forwarded-for': 'unix' }, { 'x-paddock-socket': '1', forwarded: 'for=unix' }])
      expect((await server.ask('/api/v1/session', { headers })).status).toBe(401)
    expect((await server.ask('/api/v1/login-links', { headers: bearer(server.secrets.owner), body: {} })).json.code).toBe('FORBIDDEN')
  })

  it('goes by a token that is sent over it', async () => {
    expect((await server.askSocket('/api/v1/session', { headers: bearer(server.secrets.viewer) })).json.role).toBe('viewer')
    expect((await server.askSocket('/api/v1/session', { headers: bearer('pdk_wrong') })).status).toBe(401)
    expect((await server.askSocket('/api/v1/login-links', { headers: bearer(server.secrets.viewer), body: {} })).status).toBe(403)
  })

  it('takes no requests of pages that a proxy of the socket lets through', async () => {
    expect((await server.askSocket('/healthz', { headers: { origin: 'http://localhost' } })).json.code).toBe('ORIGIN_NOT_ALLOWED')
    expect((await server.askSocket('/healthz', { headers: { 'sec-fetch-site': 'none' } })).json.code).toBe('ORIGIN_NOT_ALLOWED')
    expect((await server.askSocket('/healthz', { headers: { host: 'evil.example' } })).json.code).toBe('HOST_NOT_ALLOWED')
  })
})
