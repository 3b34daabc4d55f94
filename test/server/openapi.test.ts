import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { openApiDocument } from '../../scripts/reference/openapi.ts'
import { newJob } from '../../src/server/routes/job-input.ts'

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly object[]
  readonly 'x-paddock-roles'?: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into schemas
  readonly requestBody?: any
  // biome-ignore lint/suspicious/noExplicitAny: tests look into schemas
  readonly responses: Readonly<Record<string, any>>
}
interface Document {
  readonly servers?: readonly { readonly url: string }[]
  readonly tags?: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into schemas
  readonly components: { readonly schemas: Readonly<Record<string, any>> }
}

let document: Document
let operations: readonly { readonly name: string; readonly path: string; readonly operation: Operation }[]
beforeAll(async () => {
  document = (await openApiDocument()) as Document
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
  )
})

const isParameter = (part: string): boolean => part.startsWith('{')

/** Returns whether two paths can match one URL although neither is a special case of the other. */
function isAmbiguous(one: string, other: string): boolean {
  const [ones, others] = [one.split('/'), other.split('/')]
  if (ones.length !== others.length) return false
  const pairs = ones.map((each, index) => [each, others[index] ?? ''] as const)
  if (!pairs.every(([a, b]) => a === b || isParameter(a) || isParameter(b))) return false
  const looser = pairs.some(([a, b]) => isParameter(a) && !isParameter(b))
  const stricter = pairs.some(([a, b]) => !isParameter(a) && isParameter(b))
  return looser === stricter
}

describe('the OpenAPI document', () => {
  test('names its server, and describes its tags, each of which is used', () => {
    expect(document.servers?.map(({ url }) => url)).toEqual(['/'])
    const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []))
    expect(document.tags?.map(({ name }) => name).sort()).toEqual([...used].sort())
    for (const { name, description } of document.tags ?? []) expect(description, name).toMatch(/\.$/)
  })

  test('each operation has a summary, a description with its roles, one tag, and problems for 4XX and 5XX', () => {
    expect(operations.length).toBeGreaterThan(100)
    for (const { name, operation } of operations) {
      expect(operation.summary, name).toMatch(/\.$/)
      expect(operation.description, name).toMatch(/(Requires|Only over) .*\.$/)
      expect(operation.tags, name).toHaveLength(1)
      for (const status of ['4XX', '5XX'])
        expect(operation.responses[status]?.content['application/problem+json'].schema, name).toEqual({
          $ref: '#/components/schemas/Problem',
        })
      expect(
        Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)),
        name,
      ).toBe(true)
    }
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('exactly the public operations need no credential', () => {
    for (const { name, operation } of operations)
      expect(operation.security, name).toEqual(operation['x-paddock-roles']?.includes('public') ? [] : [{ token: [] }])
    expect(operations.filter(({ operation }) => operation.security?.length === 0).map(({ name }) => name)).toEqual([
      'get /healthz',
      'get /readyz',
      'post /api/v1/session',
      'post /api/v1/hooks/{hook}/deliver',
    ])
  })

  test('no two paths are ambiguous, and each parameter of a path is described once', () => {
    const paths = Object.keys(document.paths)
    const ambiguous = paths.flatMap((one, index) =>
      paths.slice(index + 1).flatMap((other) => (isAmbiguous(one, other) ? [[one, other]] : [])),
    )
    expect(ambiguous).toEqual([])
    expect(isAmbiguous('/a/{b}/c', '/a/d/{e}')).toBe(true)
    expect(isAmbiguous('/a/{b}', '/a/d')).toBe(false)
    for (const { name, path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each)
      expect(operation.parameters?.flatMap((each) => (each.in === 'path' ? [each.name] : [])) ?? [], name).toEqual(named)
    }
  })

  test('streams have the shapes of their events', () => {
    const shapesOf = (path: string): string => JSON.stringify(document.paths[path]?.['get']?.responses['200'].content['text/event-stream'])
    const common = ['StreamHeartbeat', 'StreamReset', 'StreamEnd']
    for (const [path, item] of [
      ['/api/v1/events', 'FleetEvent'],
      ['/api/v1/jobs/{job}/events', 'TranscriptEvent'],
    ] as const)
      for (const name of [item, ...common]) {
        expect(shapesOf(path)).toContain(`#/components/schemas/${name}`)
        expect(document.components.schemas[name].type).toBe('object')
      }
    expect(document.components.schemas['FleetEvent'].properties.kind.enum).toContain('job.ended')
    const streams = operations.filter(({ operation }) => JSON.stringify(operation.responses).includes('text/event-stream'))
    expect(streams.map(({ path }) => path)).toEqual(['/api/v1/events', '/api/v1/jobs/{job}/events'])
  })

  test('schemas refuse what the server refuses', () => {
    const bodyOf = (path: string, method = 'post') =>
      document.paths[path]?.[method]?.requestBody.content['application/json'].schema.properties
    const parsed = (schema: object): z.ZodType => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
    const { budget } = bodyOf('/api/v1/jobs')
    expect(budget.minProperties).toBe(1)
    const time = parsed(budget.properties.time)
    for (const text of ['500ms', '1.5h', '90s', '0s', '90', '1 h', '', '1w', '-1s']) {
      const isAccepted = newJob.shape.budget.safeParse({ time: text }).success
      if (text !== '0s') expect(time.safeParse(text).success, text).toBe(isAccepted)
    }
    const { cron, zone } = bodyOf('/api/v1/schedules')
    for (const [text, isRight] of [
      ['30 9 * * 1-5', true],
      ['* * * *', false],
      ['* * * * * *', false],
    ] as const)
      expect(parsed(cron).safeParse(text).success, text).toBe(isRight)
    expect(['Europe/Berlin', 'UTC', '+02:00', 'Etc/GMT+1'].every((each) => parsed(zone).safeParse(each).success)).toBe(true)
    expect(parsed(zone).safeParse('Europe Berlin').success).toBe(false)
    const { url } = bodyOf('/api/v1/webhooks')
    expect([url.format, new RegExp(url.pattern).test('ftp://x'), new RegExp(url.pattern).test('https://x')]).toEqual(['uri', false, true])
    const { for: duration } = bodyOf('/api/v1/vault/unlock')
    expect(['8h', '30m', 'h', '8'].map((each) => new RegExp(duration.pattern).test(each))).toEqual([true, true, false, false])
    const patterns = operations.flatMap(({ operation }) => (operation.parameters ?? []).filter(({ name }) => name === 'idempotency-key'))
    for (const { schema } of patterns) expect(schema).toMatchObject({ pattern: '^[\\x21-\\x7e]{1,200}$' })
    expect(patterns.length).toBeGreaterThan(2)
  })
})
