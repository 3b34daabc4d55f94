import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/fleet/store/token-store.ts'
import type { Clock } from '../../../src/server/access/steady-clock.ts'
import { bearer, type TestServer, testServer } from '../../support/test-server.ts'

/** A clock that only the test moves. */
let now = 0
const clock: Clock = { monotonic: () => now, wall: () => 1_900_000_000_000 + now }
let server: TestServer
beforeAll(async () => {
  server = await testServer({
    clock,
    routes: (app) => {
      app.get('/api/v1/for-borrowers', { config: { role: ['operator', 'borrower'] } }, async () => ({}))
      app.get('/api/v1/for-operators', { config: { role: 'operator' } }, async () => ({}))
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const session = async (headers: Record<string, string>) => (await server.ask('/api/v1/session', { headers })).status

/** Requests a WebSocket and returns the status of the answer; 101 is success. */
const watch = async (protocols: string[], headers: Record<string, string> = {}): Promise<number> => {
  const { status, socket } = await server.upgrade('/api/v1/watch', protocols, headers)
  socket.destroy()
  return status
}

describe('tokens', () => {
  it('let each role in where a route names it, and nowhere else', async () => {
    const rights: Readonly<Record<string, readonly Role[]>> = {
      '/api/v1/tokens': ['owner'],
      '/api/v1/for-operators': ['owner', 'operator'],
      '/metrics': ['owner', 'operator', 'viewer'],
      // A borrower needs a lease there: test/e2e/fleet/roles.test.ts.
      '/api/v1/for-borrowers': ['owner', 'operator'],
      '/api/v1/session': ['owner', 'operator', 'viewer', 'borrower'],
    }
    for (const [path, allowed] of Object.entries(rights))
      for (const role of ['owner', 'operator', 'viewer', 'borrower'] as const) {
        const { status } = await server.ask(path, { headers: bearer(server.secrets[role]) })
        expect([path, role, status]).toEqual([path, role, allowed.includes(role) ? 200 : 403])
      }
  })

  it('are taken from the Authorization header only, and never from a URL', async () => {
    const secret = server.secrets.owner
    for (const path of [`/api/v1/session?token=${secret}`, `/api/v1/session?access_token=${secret}`, `/api/v1/${secret}`]) {
      const { status, json } = await server.ask(path, { headers: bearer(secret) })
      expect([status, json.detail]).toEqual([400, 'A token is not accepted in a URL.'])
    }
    for (const headers of [
      { authorization: secret },
      { authorization: `Basic ${Buffer.from(`owner:${secret}`).toString('base64')}` },
      { authorization: `Token ${secret}` },
      { authorization: `Bearer ${secret} x` },
      { 'x-api-key': secret },
      { cookie: `token=${secret}` },
      { 'x-paddock-session': secret },
      { 'x-role': 'owner', role: 'owner' },
    ])
      expect([headers, await session({ ...(headers as Record<string, string>) })]).toEqual([headers, 401])
    expect(server.logged()).not.toContain(secret)
  })

  it('that are unknown, expired or revoked are refused with the same answer as none', async () => {
    const past = server.tokens.create({ name: 'past', role: 'owner', expiresAt: '2020-01-01T00:00:00Z' }).secret
    const revoked = server.tokens.create({ name: 'revoked', role: 'owner', expiresAt: null }).secret
    server.tokens.revoke('revoked')
    const answers = new Set<string>()
    for (const secret of [past, revoked, `pdk_${'A'.repeat(43)}`, 'x', null]) {
      const { status, text, headers } = await server.ask('/api/v1/tokens', {
        headers: { ...(secret === null ? {} : bearer(secret)) },
      })
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
      answers.add(text)
    }
    expect(answers.size).toBe(1)
  })
})

describe('a session', () => {
  it('begins with a login link that is good once and for five minutes', async () => {
    const start = async (code: string) => await server.ask('/api/v1/session', { body: { code } })
    const link = async () => (await server.askSocket('/api/v1/login-links', { body: {} })).json.code as string
    const first = await link()
    const { status, headers, json } = await start(first)
    expect(status).toBe(201)
    expect(headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^paddock-session-${server.port}=[\\w-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`),
    )
    expect(headers['set-cookie']?.[0]).not.toContain(json.half)
    expect((await start(first)).status).toBe(401)
    const late = await link()
    now += 5 * 60_000
    expect((await start(late)).status).toBe(401)
    expect((await start('x'.repeat(43))).status).toBe(401)
    expect(server.logged()).not.toContain(first)
  })

  it('begins with a token, and ends when that token is revoked or expires', async () => {
    const start = async (token: string) => await server.ask('/api/v1/session', { body: { token } })
    expect((await start('pdk_wrong')).status).toBe(401)
    const refused = await start(server.secrets.borrower)
    expect([refused.status, refused.json.detail]).toEqual([403, 'The token of a lease is for the API, not for this page.'])
    let count = 0
    const made = (expiresAt: string | null) => server.tokens.create({ name: `page-${++count}`, role: 'operator', expiresAt })
    const soon = new Date(clock.wall() + 3_600_000).toISOString()
    const begun = await Promise.all(
      [made(null), made(null), made(soon)].map(async ({ token, secret }) => {
        const { status, headers, json } = await start(secret)
        expect([status, json.role]).toEqual([201, 'operator'])
        expect(headers['set-cookie']?.[0]).not.toContain(secret)
        return {
          token,
          expiresAt: json.expiresAt as string,
          own: { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '', 'x-paddock-session': json.half as string },
        }
      }),
    )
    const [ends, stays, short] = begun
    if (ends === undefined || stays === undefined || short === undefined) throw new Error('no sessions')
    expect(short.expiresAt).toBe(soon)
    expect((await server.ask('/api/v1/session', { headers: ends.own })).json).toMatchObject({ kind: 'session', role: 'operator' })
    const revoked = await server.ask(`/api/v1/tokens/${ends.token.id}/revoke`, { method: 'POST', headers: bearer(server.secrets.owner) })
    expect(revoked.status).toBe(200)
    expect([await session({ ...ends.own }), await session({ ...stays.own })]).toEqual([401, 200])
    // Also a token that was revoked while no server ran.
    server.tokens.revoke(stays.token.id)
    expect(await session({ ...stays.own })).toBe(401)
  })

  it('requires both of its halves, and each half fits only the other', async () => {
    const one = await server.logIn('operator')
    const two = await server.logIn('owner')
    expect((await server.ask('/api/v1/session', { headers: one })).json).toMatchObject({ kind: 'session', role: 'operator' })
    const half = one['x-paddock-session']
    for (const headers of [
      { cookie: one.cookie },
      { 'x-paddock-session': half },
      { cookie: two.cookie, 'x-paddock-session': half },
      { cookie: one.cookie, 'x-paddock-session': '' },
      { cookie: `paddock-session-${server.port}=${half}`, 'x-paddock-session': half },
      { cookie: one.cookie.replace(String(server.port), '1'), 'x-paddock-session': half },
    ])
      expect([headers, await session({ ...(headers as Record<string, string>) })]).toEqual([headers, 401])
    expect(await watch(['paddock.v1'], { cookie: one.cookie })).toBe(401)
  })

  it('ends when its page ends it, and after twelve hours', async () => {
    const one = await server.logIn()
    expect((await server.ask('/api/v1/session', { method: 'DELETE', headers: one })).status).toBe(204)
    expect(await session({ ...one })).toBe(401)
    const two = await server.logIn()
    now += 12 * 3_600_000 - 1
    expect(await session({ ...two })).toBe(200)
    now += 1
    expect(await session({ ...two })).toBe(401)
    const { status } = await server.ask('/api/v1/session', { method: 'DELETE', headers: bearer(server.secrets.owner) })
    expect(status).toBe(400)
  })

  it('has a cookie with the prefix __Host- under a public name', async () => {
    await using behindProxy = await testServer({}, { public: ['paddock.example'], tlsProxy: true })
    const { json } = await behindProxy.askSocket('/api/v1/login-links', { body: {} })
    const { headers } = await behindProxy.ask('/api/v1/session', { headers: { host: 'paddock.example' }, body: { code: json.code } })
    expect(headers['set-cookie']?.[0]).toMatch(
      /^__Host-paddock-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
  })
})

describe('a ticket', () => {
  const ticket = async (headers: Record<string, string>): Promise<string[]> =>
    (await server.ask('/api/v1/tickets', { method: 'POST', headers })).json.protocols

  it('opens one WebSocket within 30 seconds, and no other request', async () => {
    const protocols = await ticket(await server.logIn('viewer'))
    expect(await watch(protocols)).toBe(101)
    expect(await watch(protocols)).toBe(401)
    const late = await ticket(bearer(server.secrets.viewer))
    now += 30_000
    expect(await watch(late)).toBe(401)
    const other = await ticket(bearer(server.secrets.viewer))
    expect(await session({ 'sec-websocket-protocol': other.join(', ') })).toBe(401)
    expect(await watch(['paddock.v1'])).toBe(401)
    expect(await watch(['paddock.v1'], bearer(server.secrets.viewer))).toBe(101)
  })

  it('has the rights of the credential that it was made with', async () => {
    expect(await watch(await ticket(bearer(server.secrets.borrower)))).toBe(403)
    const { token, secret } = server.tokens.create({ name: 'short', role: 'viewer', expiresAt: null })
    const protocols = await ticket(bearer(secret))
    await server.ask(`/api/v1/tokens/${token.id}/revoke`, { method: 'POST', headers: bearer(server.secrets.owner) })
    expect(await watch(protocols)).toBe(401)
    const going = await server.logIn('viewer')
    const left = await ticket(going)
    await server.ask('/api/v1/session', { method: 'DELETE', headers: going })
    expect(await watch(left)).toBe(401)
  })
})

describe('a flood of wrong secrets', () => {
  const ways: Readonly<Record<string, () => Promise<number>>> = {
    token: () => session(bearer('pdk_wrong')),
    session: () => session({ cookie: `paddock-session-${server.port}=wrong`, 'x-paddock-session': 'wrong' }),
    'token of a page': async () => (await server.ask('/api/v1/session', { body: { token: 'pdk_wrong' } })).status,
    'login link': async () => (await server.ask('/api/v1/session', { body: { code: 'wrong' } })).status,
    ticket: () => watch(['paddock.v1', 'paddock.ticket.wrong']),
  }

  it('is refused each time, and a right one is let in meanwhile, from the same address too', async () => {
    for (const [way, attempt] of Object.entries(ways)) {
      for (let count = 1; count <= 30; count += 1) expect([way, count, await attempt()]).toEqual([way, count, 401])
      expect(await session(bearer(server.secrets.owner))).toBe(200)
      expect(await session(await server.logIn())).toBe(200)
    }
  })
})
