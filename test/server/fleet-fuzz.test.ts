import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import { ContestRuns } from '../../src/fleet/contests/contest-runs.ts'
import { SuiteWorks } from '../../src/fleet/contests/suite-works.ts'
import { fleetData } from '../../src/fleet/data-directory.ts'
import { openFleet } from '../../src/fleet/fleet.ts'
import type { Capabilities } from '../../src/fleet/machine/capabilities.ts'
import { listen } from '../../src/server/listen.ts'
import { fleetApp } from '../../src/server/serve-fleet.ts'
import { serverLog } from '../../src/server/server-log.ts'
import { temporary } from '../support/temporary.ts'
import { ask, bearer } from '../support/test-server.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '..', '/', '\0', '--', '-x', 'a', 'claude', 'command', '*', '2026-02-30', 'j-00000000000000000000'),
  fc.constantFrom('https://receiver.example/x', 'http://127.1/', 'http://[::1]:1/', 'https://a:b@c/', 'http://', 'job.ended'),
  fc.constantFrom('1h', '5GiB', 'own', '(a+)+$', '(', 'vault:X', 'X=vault:Y@a.b', 'A=B', 'x'.repeat(5_000)),
)
const anything = fc.oneof(
  strange,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.jsonValue({ maxDepth: 1 }),
)

/** Values that match a schema, occasionally with something else in them. */
function valuesOf(schema: Schema, document: Document, depth = 0): fc.Arbitrary<unknown> {
  const inner = (each: Schema): fc.Arbitrary<unknown> => valuesOf(each, document, depth + 1)
  if (depth > 8) return anything
  if (schema.$ref !== undefined) return inner(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  const fitting: fc.Arbitrary<unknown> =
    schema.const !== undefined
      ? fc.constant(schema.const)
      : schema.enum !== undefined
        ? fc.constantFrom(...schema.enum)
        : choices !== undefined
          ? fc.oneof(...choices.map(inner))
          : schema.type === 'object'
            ? schema.properties !== undefined
              ? fc.record(Object.fromEntries(Object.entries(schema.properties).map(([key, each]) => [key, inner(each)])), {
                  requiredKeys: [],
                })
              : fc.dictionary(strange, typeof schema.additionalProperties === 'object' ? inner(schema.additionalProperties) : anything, {
                  maxKeys: 3,
                })
            : schema.type === 'array'
              ? fc.array(inner(schema.items ?? {}), { maxLength: 3 })
              : schema.type === 'boolean'
                ? fc.boolean()
                : schema.type === 'integer' || schema.type === 'number'
                  ? fc.oneof(fc.integer({ min: -2, max: 300 }), fc.double())
                  : strange
  return fc.oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: anything })
}

const here: Capabilities = {
  schemaVersion: 1,
  version: '0',
  ok: true,
  system: 'Linux',
  posture: 'L2',
  postures: ['L2'],
  backends: [],
  checks: [],
  egress: [],
  limits: [],
  agents: [
    {
      name: 'claude',
      installed: true,
      version: '1',
      tried: true,
      reports: 'cost',
      usesMcp: true,
      loginVariables: ['ANTHROPIC_API_KEY'],
      webTool: null,
      hint: '',
    },
  ],
}

/** Returns a value as text. An object may have a `toString` that is not a function. */
function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

it('no input of any role to any route of a fleet makes the server fail, and each refusal is a problem with a code', async () => {
  await using directory = await temporary()
  const never = async (): Promise<never> => Promise.reject(new PaddockError('NOT_FOUND', 'Nothing is started here.'))
  await using fleet = await openFleet({
    data: fleetData(directory.at('data')),
    hosts: { connect: async () => null, view: async () => null, start: never },
    warn: () => undefined,
    send: async () => ({ status: 503, problem: 'Answered 503.' }),
  })
  const failures: string[] = []
  const app = fleetApp({
    fleet,
    version: '1',
    log: serverLog('error', { write: (line) => void failures.push(line) }),
    maxPromptBytes: 1024,
    command: never,
    contests: {
      contests: new ContestRuns(directory.at('contests'), ['/nowhere/paddock'], {}, directory.at('state')),
      suites: new SuiteWorks(directory.at('suites'), ['/nowhere/paddock'], {}, directory.at('state')),
      directories: { allowed: [directory.at('listed')], agents: [], userHome: '/', key: 'fleet.contests' },
    },
    look: async () => here,
    credentials: [],
    projects: { allowed: [], agents: [], userHome: '/', key: 'fleet.projects' },
    auditDirectory: directory.at('audit'),
    questions: { open: async () => [], remembered: () => [], forget: async () => undefined },
    facts: {
      startedAt: '2026-01-31T12:00:00.000Z',
      addresses: () => [],
      retention: { ageMs: null, bytes: 1, events: 1 },
      budgets: {},
      prices: [],
    },
    notReady: () => null,
    onChange: () => undefined,
    // Nothing listens on this port.
    discordApi: 'http://127.0.0.1:1/api',
  })
  const listening = await listen(app, { tcp: { host: '127.0.0.1', port: 0 }, socket: directory.at('socket', 'paddock.sock') })
  await using _end = { [Symbol.asyncDispose]: () => listening.close() }
  const secrets = ['owner', 'operator', 'viewer', 'borrower'].map(
    (role) => fleet.tokens.create({ name: role, role: role as 'owner', expiresAt: null }).secret,
  )
  const lent = (agent: string, name: string): string => {
    const { id } = fleet.create({ name: agent, agent: 'command', command: ['true'] }, null)
    return fleet.lend({ name, agent: id, expiresAt: '2999-01-01T00:00:00.000Z', topics: { deny: ['(x+x+)+y'] } }).secret
  }
  // Named resources may be deleted. A token of such a lease would then be invalid, so it is not used.
  lent('agent-1', 'lease-1')
  secrets.push(lent('lent', 'borrowed'))
  const document = app.swagger() as unknown as Document
  const where = { host: '127.0.0.1', port: Number(new URL(listening.url ?? '').port) }
  const operations = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods)
      // These never end on their own.
      .filter(() => !route.endsWith('/events') && !route.endsWith('/watch'))
      // After ten wrong codes, nothing is checked for a minute.
      .filter(([method]) => method !== 'post' || (route !== '/api/v1/session' && !route.endsWith('/deliver')))
      .map(([method, operation]) => {
        const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
        const of = (place: string) =>
          fc.record(
            Object.fromEntries(
              (operation.parameters ?? [])
                .filter((each) => each.in === place)
                .map(({ name, schema }) => [name, valuesOf(schema, document)]),
            ),
            { requiredKeys: [] },
          )
        return fc.record({
          route: fc.constant(route),
          method: fc.constant(method.toUpperCase()),
          secret: fc.constantFrom(...secrets.slice(0, 2), ...secrets),
          place: fc.oneof(strange, fc.constantFrom('paddock', 'agent-1', 'lease-1')),
          query: of('query'),
          body: body === undefined ? fc.constant(undefined) : valuesOf(body, document),
        })
      }),
  )
  expect(operations.length).toBeGreaterThan(40)
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.oneof(...operations), async ({ route, method, secret, place, query, body }) => {
      const target = path.posix.join('/', route.replaceAll(/\{\w+\}/g, encodeURIComponent(place).replaceAll('.', '%2e') || 'x'))
      const search = new URLSearchParams(Object.fromEntries(Object.entries(query).map(([key, value]) => [key, asText(value)])))
      const { status, json } = await ask(where, `${target}?${search}`, { method, headers: bearer(secret), body })
      seen.set(status, (seen.get(status) ?? 0) + 1)
      // A Discord that does not answer is a failure of another server.
      const isOurs = !(status === 502 && json?.code === 'CREDENTIAL_FAILED' && route === '/api/v1/discord')
      if (isOurs)
        expect(status, `${method} ${target} ${JSON.stringify(body)}: ${JSON.stringify(json)} ${failures.join('')}`).toBeLessThan(500)
      if (status >= 400) expect(json).toMatchObject({ status, code: expect.any(String), title: expect.any(String) })
    }),
    { numRuns: 1_500 },
  )
  expect(seen.get(429) ?? 0).toBe(0)
  // Some requests were accepted.
  expect((seen.get(200) ?? 0) + (seen.get(201) ?? 0) + (seen.get(202) ?? 0)).toBeGreaterThan(20)
}, 300_000)
