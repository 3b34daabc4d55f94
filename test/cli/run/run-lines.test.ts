import { expect, test, vi } from 'vitest'
import type { CellEnding, CellReport } from '../../../src/cell/report.ts'
import { endLines } from '../../../src/cli/run/run-lines.ts'

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

test('5: the last lines name hosts that were denied, could not be resolved or could not be reached', () => {
  const made = report({ kind: 'exited', code: 1 })
  const deny = (host: string, port: number | null, reason: string) => ({ host, port, reason, count: 2 })
  const denied = [deny('b.x', 443, 'unresolvable'), deny('c.x', null, 'not-allowed'), deny('b.x', 443, 'unreachable')]
  const [first, ...others] = endLines({ ...made, egress: { ...made.egress, models: { answered: 0, failed: [] }, denied } })
  expect(first).toBe('exit 1 after 45.0 s · could not resolve b.x · denied c.x · could not reach b.x:443')
  expect(others).toEqual([])
})

test('7: a run that lost a protected path says how to go on', () => {
  expect(endLines(report({ kind: 'unprotected', path: '/p/.envrc' })).slice(-2)).toEqual([
    'another program removed or replaced /p/.envrc, so the cell could write there (git stash -a and git clean -x do this)',
    'run it again; with --copy you can change the project meanwhile. After git stash -a, the stash also contains empty files that Paddock created',
  ])
})
