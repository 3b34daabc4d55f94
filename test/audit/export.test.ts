import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openAuditLog } from '../../src/audit/audit-log.ts'
import type { AuditEvent } from '../../src/audit/event.ts'
import type { AuditFilter } from '../../src/audit/event-filter.ts'
import { kindFilters } from '../../src/audit/event-kinds.ts'
import type { ExportFormat } from '../../src/audit/export-formats.ts'
import { exportAudit } from '../../src/audit/export-log.ts'
import { ocsfRows } from '../../src/audit/ocsf-classes.ts'
import { temporary } from '../support/temporary.ts'

type Fields = Readonly<Record<string, unknown>>

const events: readonly AuditEvent[] = [
  { kind: 'cell.launch', cell: 'c0ffee', data: { name: 'claude', posture: 'L2', plan: 'ab' } },
  { kind: 'egress.dns', cell: 'c0ffee', data: { name: 'a.example', decision: 'denied', reason: 'not-listed' } },
  { kind: 'egress.allow', cell: 'c0ffee', data: { connection: 1, host: 'b.example', port: 443, address: '192.0.2.1', protocol: 'tls' } },
  { kind: 'egress.deny', cell: 'c0ffee', data: { connection: 2, host: 'c.example', port: 443, reason: 'not-listed' } },
  {
    kind: 'egress.request',
    cell: 'c0ffee',
    data: { host: 'b.example', port: 443, method: 'POST', path: '/v1', decision: 'allow', status: 200 },
  },
  {
    kind: 'egress.request',
    cell: 'c0ffee',
    data: { host: 'b.example', port: 443, method: 'PROPFIND', path: '/', decision: 'deny', status: 0 },
  },
  { kind: 'egress.end', cell: 'c0ffee', data: { host: 'b.example', port: 443, bytesOut: 3, bytesIn: 4, durationMs: 5.4 } },
  { kind: 'from.a.newer.version', actor: 'token-1', data: { x: [1, { y: 'é\u2028' }] } },
]

/** The attributes that OCSF 1.3.0 requires of the classes: of every event, and of each class; `|`: at least one of them. */
const ofEveryEvent = ['activity_id', 'category_uid', 'class_uid', 'metadata.product.vendor_name', 'metadata.version'].concat([
  'severity_id',
  'time',
  'type_uid',
])
const ofClass: Readonly<Record<number, readonly string[]>> = {
  0: [],
  3002: ['user.name', 'service.name|dst_endpoint'],
  4001: ['src_endpoint|dst_endpoint'],
  4002: ['src_endpoint|dst_endpoint', 'http_request|http_response'],
  4003: ['src_endpoint|dst_endpoint', 'query.hostname'],
  6002: ['app.name', 'app.vendor_name'],
  6003: ['actor.user.name', 'api.operation', 'src_endpoint.name'],
}

function at(event: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], event)
}

/** Returns the attributes that an event should have and does not. */
function missing(event: Fields): readonly string[] {
  const all = [...ofEveryEvent, ...(ofClass[Number(event['class_uid'])] ?? ['a known class'])]
  return all.filter((each) => each.split('|').every((path) => at(event, path) === undefined))
}

async function logOf(all: readonly AuditEvent[]) {
  const place = await temporary()
  const log = openAuditLog(place.path)
  for (const each of all) log.write(each)
  log.close()
  return place
}

function textsOf(directory: string, format: ExportFormat, filter: AuditFilter = {}) {
  using found = exportAudit(directory, format, filter, '1.2.3')
  return { texts: [...found.texts], verdict: found.verdict }
}

const parsed = (directory: string): readonly Fields[] => textsOf(directory, 'ocsf').texts.map((each) => JSON.parse(each) as Fields)

test('the lines are exported byte for byte', async () => {
  await using place = await logOf(events)
  const { texts, verdict } = textsOf(place.path, 'jsonl')
  expect(texts.join('')).toBe(readFileSync(place.at('audit.jsonl'), 'utf8'))
  expect(verdict).toMatchObject({ whole: true, lines: events.length })
})

test('a changed log is exported up to the change', async () => {
  await using place = await logOf(events)
  const file = place.at('audit.jsonl')
  const lines = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, lines.map((each, index) => (index === 3 ? each.replace('c.example', 'd.example') : each)).join('\n'))
  for (const format of ['jsonl', 'ocsf'] as const) {
    const { texts, verdict } = textsOf(place.path, format)
    expect([texts.length, verdict.whole, verdict.problem?.line]).toEqual([3, false, 4])
  }
  writeFileSync(file, [...lines.slice(0, 2), ...lines.slice(4)].join('\n'))
  expect(textsOf(place.path, 'jsonl').texts).toEqual(lines.slice(0, 2).map((each) => `${each}\n`))
})

test('only lines since a time are exported, and an empty log exports nothing', async () => {
  await using place = await logOf(events)
  expect(textsOf(place.path, 'jsonl', { from: '2999-01-01' }).texts).toEqual([])
  expect(textsOf(place.path, 'jsonl', { from: '2000-01-01' }).texts).toHaveLength(events.length)
  expect(textsOf(place.at('nothing'), 'ocsf').texts).toEqual([])
})

test('every kind has a class of OCSF and the attributes that the class requires', async () => {
  const kinds = kindFilters.filter((each) => each.includes('.') || each === 'contest')
  expect(Object.keys(ocsfRows).toSorted()).toEqual(kinds.toSorted())
  await using place = await logOf(kinds.map((kind) => ({ kind, data: {} })))
  await using full = await logOf(events)
  for (const event of [...parsed(place.path), ...parsed(full.path)]) {
    expect([event['message'], missing(event)]).toEqual([event['message'], []])
    const [category, type, activity] = [event['category_uid'], Number(event['type_uid']), event['activity_id']]
    expect([category, type]).toEqual([Math.floor(Number(event['class_uid']) / 1_000), Number(event['class_uid']) * 100 + Number(activity)])
  }
})

test('an unknown kind is a base event with all of its data', async () => {
  await using place = await logOf(events)
  expect(parsed(place.path).at(-1)).toMatchObject({
    class_uid: 0,
    type_uid: 99,
    activity_name: 'from.a.newer.version',
    metadata: { event_code: 'from.a.newer.version', sequence: events.length, product: { version: '1.2.3' } },
    unmapped: { x: [1, { y: 'é\u2028' }] },
  })
})

test('a decision of the gateway is one of OCSF, with its hosts', async () => {
  await using place = await logOf(events)
  const [launch, dns, allow, deny, post, other, end] = parsed(place.path)
  expect(launch).toMatchObject({ type_uid: 600203, app: { name: 'claude', uid: 'c0ffee' }, metadata: { correlation_uid: 'c0ffee' } })
  expect(dns).toMatchObject({ type_uid: 400301, action_id: 2, rcode_id: 5, query: { hostname: 'a.example' } })
  expect(allow).toMatchObject({ type_uid: 400101, action_id: 1, dst_endpoint: { hostname: 'b.example', ip: '192.0.2.1', port: 443 } })
  expect(deny).toMatchObject({ type_uid: 400105, action_id: 2, status_id: 2, severity_id: 2 })
  expect(post).toMatchObject({
    type_uid: 400206,
    http_request: { http_method: 'POST', url: { path: '/v1' } },
    http_response: { code: 200 },
  })
  expect(other).toMatchObject({ type_uid: 400299, activity_name: 'Propfind', action_id: 2 })
  expect(other).not.toHaveProperty('http_response')
  expect(end).toMatchObject({ type_uid: 400102, traffic: { bytes_out: 3, bytes_in: 4, bytes: 7 }, duration: 5 })
})
