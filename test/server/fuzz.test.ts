import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bearer, testServer } from '../support/test-server.ts'

const json = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc
    .record(
      {
        name: fc.oneof(fc.string(), fc.constantFrom('owner', 'a')),
        role: fc.oneof(fc.constantFrom('owner', 'viewer'), fc.string()),
        expiresAt: fc.oneof(fc.constant(null), fc.string(), fc.constant('2999-01-01T00:00:00Z')),
        code: fc.string(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
)
const word = fc.string({ maxLength: 20 }).map(encodeURIComponent)
const query = fc
  .array(fc.tuple(fc.constantFrom('limit', 'cursor', 'after', 'x'), fc.oneof(word, fc.integer().map(String))), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))

it('no input of any role makes a server fail, and each refusal is a problem with a code', async () => {
  await using server = await testServer()
  const operations = Object.entries<object>((await server.ask('/api/v1/openapi.json')).json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
  )
  const isLogin = ({ path, method }: { path: string; method: string }): boolean => path === '/api/v1/session' && method === 'POST'
  const others = operations.filter((each) => each.path !== '/api/v1/events' && !isLogin(each))
  const inputsOf = (some: typeof operations) =>
    fc.record({
      operation: fc.constantFrom(...some),
      role: fc.constantFrom('owner', 'operator', 'viewer', 'borrower', null),
      type: fc.constantFrom(
        'application/json',
        'application/json',
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        '*',
      ),
      body: json,
      query,
      word,
    })
  const property = (some: typeof operations) =>
    fc.asyncProperty(inputsOf(some), async ({ operation: { path, method }, role, type, body, query, word }) => {
      const { status, json: answer } = await server.ask(`${path.replace(/\{\w+\}/, word)}?${query}`, {
        method,
        headers: { 'content-type': type, ...(role === null ? {} : bearer(server.secrets[role])) },
        ...(method === 'GET' ? {} : { body }),
      })
      expect(status).toBeLessThan(500)
      if (status >= 400) expect(answer).toMatchObject({ status, code: expect.any(String), title: expect.any(String) })
    })
  await fc.assert(property(others), { numRuns: 300 })
  // After ten wrong codes, nothing is checked for a minute.
  await fc.assert(property(operations.filter(isLogin)), { numRuns: 30 })
})
