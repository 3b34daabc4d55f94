import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, type TestServer, testServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({
    routes: (app) => {
      const there = new Set(['there'])
      app.get('/api/v1/things/:thing', { config: { role: 'viewer' } }, ({ params }, reply) =>
        reply.code(there.has((params as { thing: string }).thing) ? 200 : 404).send({}),
      )
      app.delete('/api/v1/things/:thing', { config: { role: 'owner' } }, async () => ({}))
      app.get('/api/v1/things/all', { config: { role: 'viewer' } }, async () => ({}))
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const withoutTimes = ({ date: _, ...headers }: Readonly<Record<string, unknown>>) => headers

describe('methods', () => {
  it('HEAD answers like GET, with the same headers and without a body, to every caller', async () => {
    const callers = [{}, bearer('wrong'), ...Object.values(server.secrets).map(bearer)]
    for (const path of ['/healthz', '/readyz', '/api/v1/tokens', '/api/v1/openapi.json', '/api/v1/things/there', '/api/v1/things/missing'])
      for (const headers of callers) {
        const [get, head] = [await server.ask(path, { headers }), await server.ask(path, { headers, method: 'HEAD' })]
        expect([head.status, head.text, withoutTimes(head.headers)], path).toEqual([get.status, '', withoutTimes(get.headers)])
      }
    expect((await server.ask('/metrics', { method: 'HEAD', headers: bearer(server.secrets.viewer) })).status).toBe(200)
    expect((await server.ask('/metrics', { method: 'HEAD' })).status).toBe(401)
  })

  it('HEAD of a stream is refused and opens none', async () => {
    const headers = bearer(server.secrets.owner)
    for (const path of ['/api/v1/events', '/api/v1/watch']) {
      const answer = await server.ask(path, { method: 'HEAD', headers })
      expect([answer.status, answer.headers.allow], path).toEqual([405, 'GET, OPTIONS'])
    }
    await server.streams(0)
  })

  it('a wrong method is 405 with the methods of the path, an unknown path is 404', async () => {
    const allowed = {
      '/healthz': 'GET, HEAD, OPTIONS',
      '/api/v1/tokens?limit=1': 'GET, HEAD, OPTIONS, POST',
      '/api/v1/tokens/nobody/revoke': 'OPTIONS, POST',
      '/api/v1/things/x': 'DELETE, GET, HEAD, OPTIONS',
      '/api/v1/things/all': 'DELETE, GET, HEAD, OPTIONS',
    }
    for (const [path, allow] of Object.entries(allowed))
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])
        if (!allow.split(', ').includes(method)) {
          const { status, json, headers } = await server.ask(path, { method })
          expect([status, headers.allow, json?.code], `${method} ${path}`).toEqual([
            405,
            allow,
            method === 'HEAD' ? undefined : 'METHOD_NOT_ALLOWED',
          ])
        }
    for (const path of ['/nothing', '/api/v1', '/api/v1/things', '/api/v1/things/x/y', '/api//v1/tokens', '/constructor'])
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
        expect((await server.ask(path, { method })).status, `${method} ${path}`).toBe(404)
  })

  it('OPTIONS lists the methods of a path, and only on this site', async () => {
    const { status, headers, text } = await server.ask('/api/v1/tokens', { method: 'OPTIONS' })
    expect([status, headers.allow, text]).toEqual([204, 'GET, HEAD, OPTIONS, POST', ''])
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    expect((await server.ask('/api/v1/tokens', { method: 'OPTIONS', headers: preflight })).status).toBe(403)
  })

  it('a wrong method shows neither what exists nor who asks, and changes nothing', async () => {
    const before = server.changes.length
    const answers: unknown[] = []
    for (const thing of ['there', 'missing'])
      for (const headers of [{}, bearer('wrong'), bearer(server.secrets.viewer), bearer(server.secrets.owner)])
        for (const method of ['PUT', 'OPTIONS']) {
          const answer = await server.ask(`/api/v1/things/${thing}`, { method, headers })
          answers.push([method, answer.status, answer.text, withoutTimes(answer.headers)])
        }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(2)
    expect(server.changes.length).toBe(before)
  })
})
