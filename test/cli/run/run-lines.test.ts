import { expect, test, vi } from 'vitest'
import type { CellEnding, CellReport } from '../../../src/cell/report.ts'
import { endLines } from '../../../src/cli/run/run-lines.ts'
import { noticesBeyond, unresolvableNotice } from '../../../src/cli/run/unresolvable.ts'

vi.stubEnv('TZ', 'UTC')

const limited = {
  host: 'api.x',
  kind: 'refused',
  status: 429,
  resetsAt: Date.parse('2026-11-22T15:02:00Z'),
  waitedMs: 1,
  at: 0,
  count: 1,
} as const

const report = (ending: CellEnding): CellReport => ({
  ...{ schemaVersion: 1, cell: 'c', name: 'n', posture: 'L2', backend: 'b', planHash: '', startedAt: '', endedAt: '2026-11-22T14:00:00Z' },
  ...{
    durationMs: 45_000,
    ending,
    killLadder: [],
    resources: { cpuMs: null, peakMemoryBytes: null },
    limits: [],
    changes: null,
    degraded: [],
  },
  egress: {
    mode: 'allowlist',
    connections: 1,
    bytesOut: 0,
    bytesIn: 0,
    reached: [],
    denied: [],
    models: { answered: 0, failed: [limited] },
  },
})

test('4: the last lines of a run that did not end well say what the model API refused', () => {
  expect(endLines(report({ kind: 'out-of-time' }))).toEqual([
    'out of time (limit 0 ms) after 45.0 s',
    'rate limited until 15:02 (api.x answered 429)',
  ])
  expect(endLines(report({ kind: 'exited', code: 1 }))[1]).toBe('rate limited until 15:02 (api.x answered 429)')
  expect(endLines(report({ kind: 'exited', code: 0 }))).toEqual(['done after 45.0 s'])
})

test('4: the last lines of a run that did not end well name each host that does not resolve, once', () => {
  const of = (ending: CellEnding, kind: 'refused' | 'unresolvable', reached: readonly string[] = []): readonly string[] => {
    const made = report(ending)
    const deny = (host: string, port: number | null, reason = 'unresolvable') => ({ host, port, reason, count: 2 })
    const egress = {
      ...made.egress,
      reached: reached.map((host) => ({ host, port: 443, connections: 1, bytesOut: 0, bytesIn: 0 })),
      denied: [deny('api.x', 443), deny('b.x', 443), deny('b.x', null), deny('c.x', 443, 'not-allowed')],
      models: { answered: 0, failed: [{ ...limited, kind, status: null }] },
    }
    return endLines({ ...made, egress }).slice(1)
  }
  const [api, b] = ['api.x', 'b.x'].map((host) => `the name ${host} does not resolve on this machine`)
  expect(of({ kind: 'out-of-time' }, 'unresolvable')).toEqual([`the model endpoint failed (${api})`, b])
  expect(of({ kind: 'exited', code: 1 }, 'refused').slice(1)).toEqual([api, b])
  expect(of({ kind: 'exited', code: 1 }, 'refused', ['b.x']).slice(1)).toEqual([api])
  expect(of({ kind: 'exited', code: 0 }, 'unresolvable')).toEqual([])
})

test('4: a name that does not resolve is reported once, and no cell fills the screen with names', () => {
  const lines: string[] = []
  const tell = unresolvableNotice((line) => lines.push(line))
  for (const each of ['a.x', 'a.x', ...Array.from({ length: 100 }, (_, at) => `${at}.x`), 'a.x']) tell(each)
  expect(lines[0]).toBe('the name a.x does not resolve on this machine, so the cell cannot reach it')
  expect(lines).toHaveLength(5)
})

test('7: a run that lost a protected path says how to go on', () => {
  expect(endLines(report({ kind: 'unprotected', path: '/p/.envrc' })).slice(-2)).toEqual([
    'another program removed or replaced /p/.envrc, so the cell could write there (git stash -a and git clean -x do this)',
    'run it again; with --copy you can change the project meanwhile. After git stash -a, the stash also contains empty files that Paddock created',
  ])
})

test('4: a notice that is shown at the end of a terminal run is left out if the last lines name the host', () => {
  const notices: string[] = []
  for (const host of ['a.x', 'b.x']) unresolvableNotice((line) => notices.push(line))(host)
  const last = ['exit 1 after 1.0 s', 'the model endpoint failed (the name a.x does not resolve on this machine)']
  expect(noticesBeyond(last, notices)).toEqual(notices.slice(1))
  expect(noticesBeyond(['done after 1.0 s'], notices)).toEqual(notices)
})
