import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pageRoutes } from '../../src/server/routes/page-routes.ts'
import { temporary } from '../support/temporary.ts'
import { testServer } from '../support/test-server.ts'

it('the page comes with a policy that lets nothing in from elsewhere, and no request names a file', async () => {
  await using at = await temporary()
  mkdirSync(at.at('web'))
  writeFileSync(at.at('web', 'index.html'), '<!doctype html><script src="/page.js"></script>')
  writeFileSync(at.at('web', 'page.js'), 'export {}')
  writeFileSync(at.at('web', 'view-a1B2-3D4.js'), 'export {}')
  writeFileSync(at.at('web', 'notes.txt'), 'no page')
  writeFileSync(at.at('secret.js'), 'secret')
  await using server = await testServer({ routes: (app) => pageRoutes(app, at.at('web')) })
  const nonces = new Set<string>()
  for (const route of ['/', '/login', '/jobs/j-1/review', '/sessions/e-1', '/agents/a', '/agents/a/terminal', '/contests/c', '/settings']) {
    const { status, headers, text } = await server.ask(route)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self' 'sha256-[^']+'; /)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    // Style elements need the nonce of their page, and every page has a different one.
    const nonce = /style-src 'self' 'sha256-[\w+/]{43}=' 'nonce-([\w+/]{22}==)'/.exec(String(headers['content-security-policy']))?.[1] ?? ''
    expect(text).toBe(`<!doctype html><script nonce="${nonce}" src="/page.js"></script>`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(8)
  expect((await server.ask('/page.js')).headers['cache-control']).toBe('no-cache')
  expect((await server.ask('/view-a1B2-3D4.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await server.ask('/page.js')).headers['content-type']).toBe('text/javascript; charset=utf-8')
  for (const route of ['/notes.txt', '/index.html', '/../secret.js', '/%2e%2e/secret.js', '/web/page.js', '/constructor'])
    expect((await server.ask(route)).status, route).toBe(404)
  // A person who mistypes an address gets the page, which leads on; programs and the API do not.
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const mistyped = await server.ask('/nope/at/all', { headers: browser })
  expect([mistyped.status, mistyped.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(mistyped.headers['content-security-policy']).toMatch(/ 'nonce-[\w+/]{22}=='/)
  expect(mistyped.text).toContain('src="/page.js"')
  for (const [route, headers] of [
    ['/nope', {}],
    ['/nope', { accept: 'application/json' }],
    ['/nope', { accept: '*/*' }],
    ['/api/v1/nope', browser],
    ['/api', browser],
  ] as const) {
    const { status, headers: answered } = await server.ask(route, { headers })
    expect([status, answered['content-type']], route).toEqual([404, 'application/problem+json'])
  }
  expect((await server.ask('/nope', { headers: browser, method: 'POST' })).headers['content-type']).toMatch(/^application\/problem/)
  expect((await server.ask('/nope', { headers: { ...browser, host: 'evil.example' } })).status).toBe(403)
  // A page of another site may not read it either.
  expect((await server.ask('/', { headers: { host: 'evil.example' } })).status).toBe(403)
})
