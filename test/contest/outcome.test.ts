import { expect, test } from 'vitest'
import { noSummary, type RunSummary } from '../../src/agents/run-summary.ts'
import type { CellEnding, CellReport } from '../../src/cell/report.ts'
import { isFailureToRun, outcomeOf, outcomeOfSeal } from '../../src/contest/outcome.ts'

const report = (ending: CellEnding): CellReport => ({
  schemaVersion: 1,
  cell: 'c',
  name: 'n',
  posture: 'L0',
  backend: 'b',
  planHash: '',
  startedAt: '',
  endedAt: '',
  durationMs: 90_000,
  ending,
  killLadder: [],
  resources: { cpuMs: null, peakMemoryBytes: null },
  limits: [],
  egress: { mode: 'off', connections: 0, bytesOut: 0, bytesIn: 0, reached: [], denied: [] },
  changes: null,
  degraded: [],
})
const exited = (code: number): CellReport => report({ kind: 'exited', code })
const said = (change: Partial<RunSummary>): RunSummary => ({ ...noSummary, ...change })
const limit = { message: 'limit reached', resetsAt: 5, final: true }

test.each([
  ['a clean end', exited(0), said({ ok: true }), 'ran', null],
  ['a clean end of a program that says nothing', exited(0), said({}), 'ran', null],
  ['a clean end after a limit that passed', exited(0), said({ ok: true, rateLimit: { ...limit, final: false } }), 'ran', null],
  ['a clean end of one that once saw a final limit', exited(0), said({ rateLimit: limit }), 'ran', null],
  ['a limit that ended it', exited(1), said({ rateLimit: limit }), 'rate-limited', 'limit reached'],
  ['a limit with exit code 0 and a result that is none', exited(0), said({ ok: false, rateLimit: limit }), 'rate-limited', 'limit reached'],
  ['a limit that passed, then an error', exited(1), said({ rateLimit: { ...limit, final: false } }), 'ran', 'it ended with exit code 1'],
  ['no login', exited(1), said({ loginNeeded: 'Please run /login' }), 'login-needed', 'Please run /login'],
  [
    'a hang that began with a missing login',
    report({ kind: 'silent' }),
    said({ loginNeeded: 'Unauthenticated' }),
    'login-needed',
    'Unauthenticated',
  ],
  ['no time left without a login', report({ kind: 'out-of-time' }), said({ ok: false, loginNeeded: 'x' }), 'login-needed', 'x'],
  ['an end well with a login that was missing at first', exited(0), said({ ok: true, loginNeeded: null }), 'ran', null],
  ['an error', exited(2), said({ errors: ['first', 'the\nlast'] }), 'ran', 'it ended with exit code 2: the last'],
  ['no program', exited(127), said({}), 'start-failed', 'it ended with exit code 127: its program could not be found in the cell'],
  ['a signal', report({ kind: 'signalled', signal: 'SIGSEGV', code: 139 }), said({}), 'ran', 'it was ended by SIGSEGV'],
  ['no time left', report({ kind: 'out-of-time' }), said({}), 'out-of-time', 'it was not done after 90 s'],
  [
    'a hang after the result',
    report({ kind: 'silent' }),
    said({ ok: true }),
    'ran',
    'it had finished, but its program did not end and was stopped',
  ],
  ['a hang', report({ kind: 'silent' }), said({}), 'silent', 'it gave no output for too long and was stopped'],
  ['no memory', report({ kind: 'out-of-memory' }), said({ ok: true }), 'out-of-memory', 'it needed more memory than its cell may use'],
  ['no start', report({ kind: 'start-failed', message: 'no namespaces', hint: 'do this' }), said({}), 'start-failed', 'no namespaces'],
] as const)('%s', (_name, cell, summary, kind, message) => {
  expect(outcomeOf(cell, summary)).toMatchObject({ kind, message })
})

test('only those that did not come to an end are failures to run', () => {
  const failed = (ending: CellEnding): boolean => isFailureToRun(outcomeOf(report(ending), noSummary))
  expect(failed({ kind: 'exited', code: 3 })).toBe(false)
  for (const kind of ['out-of-time', 'out-of-memory', 'silent', 'out-of-disk', 'output-flood', 'cancelled'] as const)
    expect(failed({ kind })).toBe(true)
})

test('required outputs are looked for in the seal, as paths and as globs', () => {
  const ran = outcomeOf(exited(0), noSummary)
  const file = (path: string) => ({ path, size: 1, sha256: '0'.repeat(64), mode: '0644' as const })
  const seal = {
    schemaVersion: 1,
    state: 'sealed',
    message: null,
    sealedAt: '',
    attempt: 1,
    files: [file('src/a.ts'), file('[x].md')],
    bytes: 2,
    tree: '',
    dropped: [],
    droppedCount: 0,
  } as const
  const of = (...required: string[]): string => outcomeOfSeal(ran, { ...seal, files: [...seal.files], dropped: [] }, required).kind
  expect([of(), of('src/*.ts'), of('**/*.ts', '[x].md'), of('*.ts'), of('src/b.ts')]).toEqual([
    'delivered',
    'delivered',
    'delivered',
    'incomplete',
    'incomplete',
  ])
})
