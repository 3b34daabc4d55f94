import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import { buildApp } from '../../src/server/app.ts'
import { serverLog } from '../../src/server/server-log.ts'
import { eventsInMemory } from '../support/events-in-memory.ts'
import { bearer, type TestServer, testServer } from '../support/test-server.ts'
import { tokensInMemory } from '../support/tokens-in-memory.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    bodyLimit: 10_000,
    routes: (app) => {
      app.get('/api/v1/broken', { config: { role: 'public' } }, async () => {
        throw new Error('the database is at /home/somebody/fleet.db')
      })
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const owner = () => bearer(server.secrets.owner)

describe('the app', () => {
  it('answers health checks without a credential, with strict headers', async () => {
    const { status, json, headers } = await server.ask('/healthz')
    expect({ status, json }).toEqual({ status: 200, json: { ok: true } })
    expect(headers['content-security-policy']).toBe("default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    expect((await server.ask('/readyz')).status).toBe(200)
  })

  it('answers every failure as problem+json with a code', async () => {
    const json = 'application/json'
    const cases = [
      [{ path: '/nothing' }, 404, 'NOT_FOUND'],
      [{ path: '/api/v1/tokens' }, 401, 'UNAUTHENTICATED'],
      [{ path: '/%E0%A4%A' }, 400, 'BAD_INPUT'],
      [{ path: '/api/v1/tokens?limit=201', headers: owner() }, 400, 'BAD_INPUT'],
      [{ path: '/api/v1/tokens?cursor=!', headers: owner() }, 400, 'BAD_INPUT'],
      [{ path: '/api/v1/tokens', headers: owner(), body: '{' }, 400, 'BAD_INPUT'],
      [{ path: '/api/v1/tokens', headers: owner(), body: '{"__proto__":{"x":1}}' }, 400, 'BAD_INPUT'],
      [{ path: '/api/v1/tokens', headers: owner(), body: 'x'.repeat(10_001) }, 413, 'TOO_LARGE'],
      [{ path: '/api/v1/tokens', headers: { ...owner(), 'content-type': 'text/plain' }, body: 'x' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      [{ path: '/api/v1/tokens', headers: { ...owner(), 'content-type': json }, body: { name: 'owner', role: 'owner' } }, 409, 'CONFLICT'],
      [{ path: '/api/v1/tokens/nobody/revoke', headers: owner(), method: 'POST' }, 404, 'NOT_FOUND'],
      [{ path: '/healthz', headers: { 'x-long': 'x'.repeat(20_000) } }, 431, 'HEADERS_TOO_LARGE'],
      [{ path: '/api/v1/broken' }, 500, 'INTERNAL'],
    ] as const
    for (const [{ path, ...asking }, status, code] of cases) {
      const answer = await server.ask(path, asking)
      expect([path, answer.status, answer.json?.code, answer.headers['content-type']]).toEqual([
        path,
        status,
        code,
        'application/problem+json',
      ])
      expect(answer.json).toMatchObject({ status, type: `urn:paddock:problem:${code.toLowerCase().replaceAll('_', '-')}` })
    }
    expect((await server.ask('/api/v1/broken')).text).not.toContain('fleet.db')
    expect(server.logged()).toContain('fleet.db')
  })

  it('does not read a large body from a client without a credential', async () => {
    const body = JSON.stringify({ code: 'x'.repeat(2_000) })
    expect((await server.ask('/api/v1/session', { body })).status).toBe(413)
    expect((await server.ask('/nothing', { body: 'x'.repeat(20_000) })).status).toBe(404)
    expect((await server.ask('/api/v1/tokens', { body: 'x'.repeat(20_000) })).status).toBe(401)
  })

  it('names the place of each mistake in the input', async () => {
    const { json } = await server.ask('/api/v1/tokens', { headers: owner(), body: { name: 'Über', role: 'king', more: 1 } })
    expect(json.issues.map(({ place }: { place: string }) => place).sort()).toEqual(['body', 'body.name', 'body.role'])
    expect(json.detail).toContain('body.name: must have 1 to 64')
  })

  it('publishes an OpenAPI 3.1 document in which each operation may answer with a problem', async () => {
    const { json } = await server.ask('/api/v1/openapi.json')
    expect(json.openapi).toBe('3.1.0')
    expect(json.paths['/api/v1/tokens'].post.operationId).toBe('createToken')
    expect(json.paths['/api/v1/tokens'].get.responses['4XX'].content['application/problem+json']).toBeDefined()
    expect(json.paths['/api/v1/tokens'].get.security).toEqual([{ token: [] }])
    expect(Object.keys(json.components.schemas)).toEqual(['Problem', 'FleetEvent', 'StreamHeartbeat', 'StreamReset', 'StreamEnd', 'Token'])
    expect(json.components.schemas.Problem.properties.code.type).toBe('string')
    expect(json.components.schemas.Token.properties.role.enum).toEqual(['owner', 'operator', 'viewer', 'borrower'])
  })

  it('measures requests by route, and logs neither paths, queries, headers nor bodies', async () => {
    await server.ask('/api/v1/tokens?limit=1&note=queryword', {
      headers: { ...owner(), cookie: 'a=cookieword' },
      body: { name: 'bodyword' },
    })
    await server.ask('/pathword')
    const { text } = await server.ask('/metrics', { headers: bearer(server.secrets.viewer) })
    expect(text).toContain('paddock_http_request_seconds_bucket{le="10",method="GET",route="/healthz",status="200"}')
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).not.toContain('pathword')
    for (const secret of ['queryword', 'cookieword', 'bodyword', 'pathword', server.secrets.owner])
      expect(server.logged()).not.toContain(secret)
    expect(server.logged()).toContain('"route":"/api/v1/tokens"')
  })

  it('records each change with who made it, and no refusal', async () => {
    const before = server.changes.length
    await server.ask('/api/v1/tokens', { headers: owner(), body: { name: 'recorded', role: 'viewer' } })
    await server.ask('/api/v1/tokens', { headers: owner(), body: { name: 'recorded', role: 'viewer' } })
    await server.ask('/api/v1/tokens', { headers: owner() })
    await server.ask('/api/v1/tickets', { method: 'POST', headers: owner() })
    await server.logIn()
    expect(server.changes.slice(before + 1).map(({ actor, route }) => [actor.replace(/session [\w-]{8}/, 'session …'), route])).toEqual([
      ['socket', '/api/v1/login-links'],
      [expect.stringMatching(/^owner \(session …\)$/), '/api/v1/session'],
    ])
    expect(server.changes.slice(before, before + 1)).toEqual([
      { actor: 'owner', method: 'POST', route: '/api/v1/tokens', params: {}, status: 201 },
    ])
  })

  it('answers with an error if a change cannot be recorded', async () => {
    await using broken = await testServer({
      onChange: () => {
        throw new PaddockError('FILES_FAILED', 'The audit log cannot be written.')
      },
    })
    const { status, json } = await broken.askSocket('/api/v1/tokens', { body: { name: 'x', role: 'viewer' } })
    expect([status, json.code, json.token]).toEqual([500, 'FILES_FAILED', undefined])
  })

  it('gives lists in pages that together hold each item once', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { json } = await server.ask(`/api/v1/tokens?limit=2${cursor}`, { headers: owner() })
      expect(json.asOf).toBe(0)
      seen.push(...json.items.map(({ id }: { id: string }) => id))
      if (json.next === null) break
      cursor = `&cursor=${json.next}`
    }
    expect(seen).toEqual(
      server.tokens
        .list()
        .map(({ id }) => id)
        .sort(),
    )
  })

  it('does not start with a route that declares no role, or one that does not exist', async () => {
    const deps = {
      version: '0',
      tokens: tokensInMemory(),
      events: eventsInMemory(),
      log: serverLog('silent'),
      notReady: () => null,
      onChange: () => {},
    }
    for (const config of [undefined, {}, { role: [] }, { role: 'admin' }]) {
      const app = buildApp({ ...deps, routes: (routes) => void routes.get('/open', { config: config as object }, async () => 'open') })
      await expect(async () => await app.ready()).rejects.toThrow('The route GET /open does not declare who may use it')
    }
  })
})
