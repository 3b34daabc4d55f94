import { describe, expect, test } from 'vitest'
import { covers, idOfRights, noRights, rightsOf } from '../../../src/cell/plan/rights.ts'
import type { CellSpec } from '../../../src/cell/plan/spec.ts'
import type { AllowEntry } from '../../../src/egress/policy/egress-policy.ts'
import { Secret } from '../../../src/secrets/secret.ts'

const host = (name: string, more: Partial<AllowEntry> = {}): AllowEntry => ({
  host: name,
  ports: [443],
  internal: false,
  source: 'user',
  ...more,
})
const allow = (...entries: readonly AllowEntry[]): Partial<CellSpec> => ({ egress: { mode: 'allowlist', entries } })
const of = (wishes: Partial<CellSpec>) =>
  rightsOf({
    name: 'x',
    command: ['true'],
    cwd: '/p',
    project: '/p',
    mounts: [],
    files: [],
    home: { kind: 'temporary' },
    env: {},
    pathEntries: [],
    egress: { mode: 'off' },
    limits: {},
    terminal: false,
    degraded: [],
    ...wishes,
  })
const credential = {
  name: 'KEY',
  hosts: [],
  places: [],
  placeholders: () => ['random'],
  secret: async () => Secret.fromText('KEY', 'secret'),
} as const

describe('wider rights cover narrower ones, and not the reverse', () => {
  test.each<[string, Partial<CellSpec>, Partial<CellSpec>]>([
    ['another host', allow(host('a.example'), host('b.example')), allow(host('a.example'))],
    ['another port', allow(host('a.example', { ports: [443, 80] })), allow(host('a.example'))],
    ['a pattern', allow(host('*.example')), allow(host('a.example'))],
    ['a host without a question', allow(host('a.example')), allow(host('a.example', { ask: true }))],
    ['a host without rules', allow(host('a.example')), allow(host('a.example', { inspect: { rules: [], otherwise: 'deny' } }))],
    ['public', { egress: { mode: 'public', entries: [], blocked: [] } }, allow(host('a.example'))],
    [
      'public without blocked ranges',
      { egress: { mode: 'public', entries: [], blocked: [] } },
      { egress: { mode: 'public', entries: [], blocked: ['8.8.8.0/24'] } },
    ],
    ['open', { egress: { mode: 'open', entries: [] } }, { egress: { mode: 'public', entries: [], blocked: [] } }],
    ['an internal host', allow(host('a.internal', { internal: true }), host('a.example')), allow(host('a.example'))],
    ['a pinned host', allow(host('b.example', { pin: { address: '10.0.0.1' } })), {}],
    ['a mount', { mounts: [{ source: '/x', access: 'ro' }] }, {}],
    ['a writable mount', { mounts: [{ source: '/x', access: 'rw' }] }, { mounts: [{ source: '/x', access: 'ro' }] }],
    ['the project itself', {}, { projectCopy: '/copy' }],
    ['a credential', { credentials: [credential] }, {}],
    ['a port', { publish: [80] }, {}],
    ['fewer guarantees', { degraded: ['memory'] }, {}],
    ['fewer masks', {}, { masks: [{ source: '/p/.env', kind: 'file' }] }],
    ['a real credential', { rights: ['in the cell: KEY'] }, {}],
  ])('%s', (_, wide, narrow) => {
    expect(covers(of(wide), of(narrow))).toBe(true)
    expect(covers(of(narrow), of(wide))).toBe(false)
  })
})

test('an internal host is not part of the public internet, and other rules are not narrower', () => {
  const internal = of(allow(host('a.internal', { internal: true })))
  expect(covers(of({ egress: { mode: 'open', entries: [] } }), internal)).toBe(false)
  const ruled = (path: string) =>
    of(allow(host('a.example', { inspect: { rules: [{ action: 'deny', methods: [], path, source: 'user' }], otherwise: 'allow' } })))
  expect(covers(ruled('/a'), ruled('/b'))).toBe(false)
  expect(covers(noRights, of({ project: '/p' }))).toBe(false)
})

test('what differs in each run of the same options is not a right', () => {
  const once = of({
    ...allow(host('company.paddock.internal', { internal: true, pin: { address: '127.0.0.1', port: 1 }, source: 'paddock' })),
    mounts: [{ source: '/opt/agent/1.0', access: 'ro', reason: 'agent' }],
    credentials: [credential],
    env: { KEY: 'random' },
    command: ['one'],
  })
  const again = of({
    ...allow(host('company.paddock.internal', { internal: true, pin: { address: '127.0.0.1', port: 2 }, source: 'paddock' })),
    mounts: [{ source: '/opt/agent/1.1', access: 'ro', reason: 'agent' }],
    credentials: [{ ...credential, placeholders: () => ['another'] }],
    env: { KEY: 'another' },
    command: ['two'],
  })
  expect(idOfRights(once)).toBe(idOfRights(again))
})
