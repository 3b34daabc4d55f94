import { expect, it } from 'vitest'
import { mayUse, roles } from '../../../src/server/access/role-order.ts'
import { bearer, testServer } from '../../support/test-server.ts'

it('every route of the document lets in exactly the roles that it names, over TCP', async () => {
  await using server = await testServer()
  const paths = Object.entries<Record<string, Record<string, unknown>>>((await server.ask('/api/v1/openapi.json')).json.paths)
  let asked = 0
  for (const [path, methods] of paths)
    for (const [method, operation] of Object.entries(methods)) {
      const needed = operation['x-paddock-roles'] as typeof roles
      const isSocketOnly = operation['x-paddock-over'] === 'unix'
      for (const role of [...roles, null]) {
        const { status } = await server.ask(`${path.replace(/\{\w+\}/, 'nobody')}?unknown-parameter=1`, {
          method: method.toUpperCase(),
          headers: { 'content-type': 'application/json', ...(role === null ? {} : bearer(server.secrets[role])) },
          ...(method === 'get' ? {} : { body: '{"unknown":' }),
        })
        const isPublic = (needed as readonly string[]).includes('public')
        const refusal = isPublic ? null : role === null ? 401 : mayUse(role, needed) && !isSocketOnly ? null : 403
        // An allowed request fails because of its input, or succeeds. It is never refused because of its sender.
        expect([path, method, role, [401, 403].includes(status) ? status : null]).toEqual([path, method, role, refusal])
        asked += 1
      }
    }
  expect(asked).toBeGreaterThanOrEqual(55)
})
