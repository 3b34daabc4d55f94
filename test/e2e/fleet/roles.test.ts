import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyone } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

const document = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

const bodiless = ['GET', 'HEAD', 'DELETE']

/** A borrower has no lease, a lessee has one. */
const roles = ['nobody', 'borrower', 'lessee', 'viewer', 'operator', 'owner'] as const

/** The roles that may use each route over TCP. Routes that are not listed here fail the test. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...each(['GET /healthz', 'GET /readyz', 'GET /api/v1/openapi.json', 'POST /api/v1/session', 'POST /api/v1/hooks/{hook}/deliver'], roles),
  ...each(
    [
      'GET /metrics',
      'GET /api/v1/agents',
      'GET /api/v1/agents/{agent}',
      'GET /api/v1/fleet',
      'GET /api/v1/agents/{agent}/policy',
      'GET /api/v1/agents/{agent}/files',
      'GET /api/v1/jobs/{job}/changes',
      'GET /api/v1/capabilities',
      'GET /api/v1/events',
      'GET /api/v1/usage',
      'GET /api/v1/usage/days',
      'GET /api/v1/budgets',
      'GET /api/v1/server',
      'GET /api/v1/approvals',
      'GET /api/v1/guarantees',
      'GET /api/v1/contests',
      'GET /api/v1/schedules',
      'GET /api/v1/hooks',
      'GET /api/v1/webhooks',
      'GET /api/v1/webhooks/{webhook}',
      'GET /api/v1/inbox',
      'GET /api/v1/agents/{agent}/memory',
      'GET /api/v1/schedules/{schedule}',
      'GET /api/v1/contests/{contest}',
      'GET /api/v1/contests/{contest}/report',
      'GET /api/v1/contests/{contest}/report.html',
    ],
    ['viewer', 'operator', 'owner'],
  ),
  ...each(
    [
      'POST /api/v1/agents',
      'POST /api/v1/manifests/check',
      'PUT /api/v1/agents/{agent}',
      'DELETE /api/v1/agents/{agent}',
      'POST /api/v1/agents/{agent}/start',
      'POST /api/v1/agents/{agent}/stop',
      'POST /api/v1/agents/{agent}/archive',
      'POST /api/v1/agents/{agent}/sessions',
      'DELETE /api/v1/sessions/{session}',
      'PATCH /api/v1/jobs/{job}',
      'POST /api/v1/jobs/{job}/send-now',
      'POST /api/v1/jobs/{job}/continue',
      'POST /api/v1/jobs/{job}/apply',
      'POST /api/v1/jobs/{job}/discard',
      'POST /api/v1/capabilities',
      'POST /api/v1/approvals/{approval}/answer',
      'POST /api/v1/inbox/{id}/answer',
      'GET /api/v1/credentials',
      'POST /api/v1/guarantees/verify',
      'POST /api/v1/contests',
      'GET /api/v1/contests/directories',
      'GET /api/v1/contests/{contest}/changes',
      'GET /api/v1/contests/plan',
      'GET /api/v1/jobs/{job}/changes/whole',
      'GET /api/v1/suites',
      'GET /api/v1/suites/status',
      'GET /api/v1/suites/report.html',
      'GET /api/v1/suites/report',
      'GET /api/v1/suites/plan',
      'GET /api/v1/suites/detection',
      'GET /api/v1/suites/work',
      'GET /api/v1/suites/contest',
      'GET /api/v1/suites/contest/report.html',
      'GET /api/v1/suites/leftovers',
      'GET /api/v1/suites/comparisons',
      'GET /api/v1/suites/comparison',
      'GET /api/v1/suites/comparison.html',
      'POST /api/v1/suites/compare',
      'POST /api/v1/suites',
      'POST /api/v1/suites/rejudge',
      'POST /api/v1/suites/refine',
      'POST /api/v1/suites/archive',
      'POST /api/v1/suites/clean',
      'POST /api/v1/suites/cancel',
      'POST /api/v1/schedules',
      'POST /api/v1/hooks',
      'DELETE /api/v1/agents/{agent}/memory',
      'DELETE /api/v1/agents/{agent}/memory/{job}',
      'DELETE /api/v1/hooks/{hook}',
      'PUT /api/v1/schedules/{schedule}',
      'DELETE /api/v1/schedules/{schedule}',
      'POST /api/v1/schedules/{schedule}/pause',
      'POST /api/v1/schedules/{schedule}/resume',
      'POST /api/v1/schedules/{schedule}/run',
      'POST /api/v1/contests/{contest}/apply',
      'POST /api/v1/contests/{contest}/cancel',
      'POST /api/v1/contests/{contest}/undo',
      'DELETE /api/v1/contests/{contest}',
    ],
    ['operator', 'owner'],
  ),
  ...each(['GET /api/v1/sessions', 'GET /api/v1/sessions/{session}'], ['lessee', 'viewer', 'operator', 'owner']),
  ...each(['GET /api/v1/jobs', 'GET /api/v1/jobs/{job}', 'GET /api/v1/jobs/{job}/events'], ['lessee', 'viewer', 'operator', 'owner']),
  ...each(['POST /api/v1/jobs', 'POST /api/v1/jobs/{job}/cancel', 'POST /api/v1/jobs/{job}/messages'], ['lessee', 'operator', 'owner']),
  ...each(['GET /api/v1/lease'], ['lessee']),
  ...each(['GET /api/v1/session', 'DELETE /api/v1/session', 'POST /api/v1/tickets'], ['borrower', 'lessee', 'viewer', 'operator', 'owner']),
  ...each(
    [
      'POST /api/v1/resume',
      'POST /api/v1/agents/{agent}/approve',
      'POST /api/v1/webhooks',
      'POST /api/v1/webhooks/{webhook}/pause',
      'POST /api/v1/webhooks/{webhook}/resume',
      'POST /api/v1/webhooks/{webhook}/test',
      'DELETE /api/v1/webhooks/{webhook}',
      'GET /api/v1/discord',
      'PUT /api/v1/discord',
      'DELETE /api/v1/discord',
      'PUT /api/v1/discord/channels/{channel}',
      'DELETE /api/v1/discord/channels/{channel}',
      'DELETE /api/v1/approvals/{answer}',
      'GET /api/v1/tokens',
      'POST /api/v1/tokens',
      'POST /api/v1/tokens/{token}/revoke',
      'GET /api/v1/leases',
      'POST /api/v1/leases',
      'GET /api/v1/leases/{lease}',
      'DELETE /api/v1/leases/{lease}',
      'GET /api/v1/audit',
      'GET /api/v1/audit/verify',
      'GET /api/v1/vault',
      'POST /api/v1/vault/unlock',
      'POST /api/v1/vault/lock',
      'PUT /api/v1/vault/{name}',
      'DELETE /api/v1/vault/{name}',
    ],
    ['owner'],
  ),
}

function each(names: readonly string[], roles: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.map((name) => [name, roles]))
}

describe.each(everyone)('routes and roles, as %s', (who) => {
  let fleet: FleetServer
  const secrets = new Map<string, string>()
  beforeAll(async () => {
    fleet = await startFleet(who)
    for (const role of ['borrower', 'viewer', 'operator', 'owner']) secrets.set(role, await fleet.token(role))
    await fleet.api.POST('/api/v1/agents', {
      body: { manifest: { name: 'lent', agent: 'command', command: ['true'], egress: { policy: 'off' } } },
    })
    const { data } = await fleet.api.POST('/api/v1/leases', { body: { name: 'bob', agent: 'lent', expires: '1h' } })
    secrets.set('lessee', data?.token ?? '')
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  test('no answer to a viewer contains the values of a manifest, and those to an operator do', async () => {
    const url = `https://canary:canary@example.org/canary?canary=1#canary`
    const common = { env: ['TOKEN=canary'] }
    const manifests = [
      { ...common, name: 'valued', agent: 'acp', command: ['sh', '-c', 'canary', '--key=canary'], args: ['-pcanary'], baseUrl: url },
      {
        ...{ ...common, name: 'thinking', kind: 'model', provider: 'openai-compatible', model: 'm', keyless: true, baseUrl: url },
        fallbacks: [{ provider: 'openai-compatible', model: 'm', keyless: true, baseUrl: url }],
        tools: ['one/*', 'two/*'],
        mcp: { one: { url, headers: { Authorization: 'canary' } }, two: { command: ['server', 'canary'], env: { KEY: 'canary' } } },
      },
    ]
    for (const manifest of manifests) expect((await fleet.api.POST('/api/v1/agents', { body: { manifest } })).error).toBeUndefined()
    const seen = async (path: string, role: string): Promise<string> => {
      const answer = await fetch(fleet.url + path, { headers: { authorization: `Bearer ${secrets.get(role)}` } })
      return answer.text()
    }
    const paths = routes.flatMap((route) => (route.startsWith('GET ') && !/events$|report/.test(route) ? [route.slice(4)] : []))
    for (const { name } of manifests)
      for (const path of paths)
        for (const role of ['viewer', 'lessee'])
          expect(await seen(path.replace('{agent}', name).replaceAll(/\{\w+\}/g, 'none'), role), path).not.toContain('canary')
    for (const path of ['/api/v1/agents', '/api/v1/agents/thinking', '/api/v1/agents/valued/policy'])
      for (const role of ['operator', 'owner']) expect(await seen(path, role)).toContain('canary')
    const { manifest } = JSON.parse(await seen('/api/v1/agents/thinking', 'viewer')) as { manifest: object }
    expect(manifest).toMatchObject({ env: ['TOKEN=…'], mcp: { one: { headers: { Authorization: '…' } }, two: { env: { KEY: '…' } } } })
  })

  /** Returns the status of a request that changes nothing: the resources in its path do not exist, and its body is empty. */
  const ask = async (route: string, role: string): Promise<number> => {
    const [method = '', path = ''] = route.split(' ')
    const secret = secrets.get(role)
    const answer = await fetch(fleet.url + path.replaceAll(/\{\w+\}/g, 'none'), {
      method,
      ...(bodiless.includes(method) ? {} : { body: '{}' }),
      headers: {
        ...(bodiless.includes(method) ? {} : { 'content-type': 'application/json' }),
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      },
    })
    await answer.body?.cancel()
    return answer.status
  }

  test.each(routes)('%s admits only the roles that may use it', async (route) => {
    const may = allowed[route]
    const found: Record<string, boolean> = {}
    for (const role of roles) {
      const status = await ask(route, role)
      expect(status, `${role} got ${status}`).toBeLessThan(500)
      found[role] = role === 'nobody' ? status !== 401 || (may ?? []).includes('nobody') : status !== 403
    }
    expect(Object.keys(found).filter((role) => found[role])).toEqual(roles.filter((role) => may?.includes(role)))
    const [method = '', path = ''] = route.split(' ')
    if (method === 'GET' && !path.endsWith('/events'))
      for (const role of ['nobody', 'viewer']) expect(await ask(route.replace('GET', 'HEAD'), role)).toBe(await ask(route, role))
    const wrong = await fetch(fleet.url + path.replaceAll(/\{\w+\}/g, 'none'), { method: 'PROPFIND' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, expect.stringContaining(method)])
  })
})
