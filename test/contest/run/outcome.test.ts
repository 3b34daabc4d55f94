import { describe, expect, test, vi } from 'vitest'
import { type ApiTrouble, noSummary, type RunSummary, withEvent } from '../../../src/adapters/output/run-summary.ts'
import { limitCause } from '../../../src/cell/backends/causes/limit-causes.ts'
import { enforce } from '../../../src/cell/backends/enforcement.ts'
import { planLimits } from '../../../src/cell/plan/cell-limits.ts'
import type { CellEnding, CellReport } from '../../../src/cell/report.ts'
import { outcomeOf, outcomeOfSeal, startFailed } from '../../../src/contest/run/outcome-of-run.ts'
import { isFailureToRun } from '../../../src/contest/state/participant-outcome.ts'
import type { FailedModelCall } from '../../../src/egress/egress-summary.ts'
import { newParser } from '../../support/parsers.ts'

// Times of day in messages are in the host's time zone.
vi.stubEnv('TZ', 'UTC')

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
  [
    'a limit with exit code 0 and an unsuccessful result',
    exited(0),
    said({ ok: false, rateLimit: limit }),
    'rate-limited',
    'limit reached',
  ],
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
  [
    'no program that a script names',
    exited(127),
    said({ errors: ['run.sh: line 3: jug: command not found'] }),
    'start-failed',
    'it ended with exit code 127: run.sh: line 3: jug: command not found',
  ],
  ['no program', exited(127), said({}), 'start-failed', 'it ended with exit code 127: its program could not be found in the cell'],
  ['a signal', report({ kind: 'exited', code: 139 }), said({}), 'ran', 'it ended with exit code 139 (128 + SIGSEGV)'],
  ['no time left', report({ kind: 'out-of-time' }), said({}), 'out-of-time', 'it was not finished after 90 s'],
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
  expect(outcomeOf(cell, summary, 'codex')).toMatchObject({ kind, message })
})

/** Returns a report with a failed call of the model API that the gateway saw at the end of the run. */
const seen = (call: Partial<FailedModelCall>, cell: CellReport): CellReport => ({
  ...cell,
  endedAt: '2026-11-22T14:00:00Z',
  egress: {
    ...cell.egress,
    models: {
      answered: 1,
      failed: [{ host: 'api.x', kind: 'refused', status: null, resetsAt: null, waitedMs: 0, at: 0, count: 1, ...call }],
    },
  },
})
const inAnHour = Date.parse('2026-11-22T15:00:00Z')
const trouble = (kind: ApiTrouble['kind'], message: string, more: Partial<ApiTrouble> = {}): Partial<RunSummary> => ({
  trouble: { kind, message, resetsAt: null, from: 'output', ...more },
})
const offline = 'The login of claude could not be renewed: the name auth.x could not be resolved.'
const late = report({ kind: 'out-of-time' })
const silent = report({ kind: 'silent' })
const noisy = { resetsAt: inAnHour, from: 'standard error' } as const

describe('3: a run that ended with an error of its model endpoint', () => {
  test.each([
    [
      'by its typed events',
      exited(1),
      trouble('endpoint-failed', 'stream cut'),
      'endpoint-failed',
      'the model endpoint failed (codex reported: stream cut); it ended with exit code 1',
    ],
    [
      'by what the gateway saw',
      seen({ status: 500, count: 6 }, exited(1)),
      { errors: ['busy'] },
      'endpoint-failed',
      'the model endpoint failed (api.x answered 500, 6 times); it ended with exit code 1: busy',
    ],
    [
      'by an answer that was cut off',
      seen({ kind: 'cut' }, exited(1)),
      {},
      'endpoint-failed',
      'the model endpoint failed (api.x cut its answer off); it ended with exit code 1',
    ],
    [
      'with exit code 0 and a result that is an error',
      seen({ status: 503 }, exited(0)),
      { ok: false },
      'endpoint-failed',
      expect.stringContaining('api.x answered 503'),
    ],
    ['but reported an error of another kind', exited(1), { errors: ['turn limit'] }, 'ran', 'it ended with exit code 1: turn limit'],
    ['and was well after all', seen({ status: 500 }, exited(0)), { ok: true }, 'ran', null],
    ['and crashed', seen({ status: 500 }, report({ kind: 'exited', code: 139 })), {}, 'ran', 'it ended with exit code 139 (128 + SIGSEGV)'],
  ] as const)('%s', (_name, cell, summary, kind, message) => {
    const outcome = outcomeOf(cell, said(summary), 'codex')
    expect(outcome).toMatchObject({ kind, message })
    expect(isFailureToRun(outcome)).toBe(kind !== 'ran')
  })
})

describe('4: a limit that was reached while the model refused', () => {
  test.each([
    [
      'a rate limit on standard error',
      late,
      trouble('rate-limited', 'quota', noisy),
      'rate-limited',
      'rate limited until 15:00 (gemini reported it on standard error); it was waiting when its time ended',
    ],
    [
      'a rate limit that is not final',
      silent,
      trouble('rate-limited', 'try 3'),
      'rate-limited',
      'rate limited (gemini reported it); it was waiting when it was stopped for its silence',
    ],
    [
      'a rate limit that the gateway saw',
      seen({ status: 429, resetsAt: inAnHour }, late),
      {},
      'rate-limited',
      'rate limited until 15:00 (api.x answered 429); it was waiting when its time ended',
    ],
    [
      'a refused login',
      seen({ status: 401, count: 8 }, silent),
      {},
      'login-needed',
      'its login was refused (api.x answered 401, 8 times); it was waiting when it was stopped for its silence',
    ],
    [
      'a refused login that the CLI reported',
      late,
      trouble('login-needed', 'bad key'),
      'login-needed',
      'its login was refused (gemini reported: bad key); it was waiting when its time ended',
    ],
    [
      'a login that could not be renewed without a network',
      seen({ kind: 'not-renewed', why: offline, count: 3 }, late),
      {},
      'endpoint-failed',
      'its login could not be renewed: the name auth.x could not be resolved; it was waiting when its time ended',
    ],
    [
      'a login that its vendor does not renew',
      seen({ kind: 'no-credential', why: 'The login of claude is no longer accepted (invalid_grant).' }, late),
      {},
      'login-needed',
      'its login is no longer accepted (invalid_grant); it was waiting when its time ended',
    ],
    [
      'errors of the server',
      seen({ status: 500, count: 4 }, late),
      {},
      'endpoint-failed',
      'the model endpoint failed (api.x answered 500, 4 times); it was waiting when its time ended',
    ],
    [
      'a name that does not resolve',
      seen({ kind: 'unresolvable' }, late),
      {},
      'endpoint-failed',
      expect.stringContaining('the name api.x does not resolve on this machine'),
    ],
    [
      'no answer',
      seen({ kind: 'unanswered', waitedMs: 44_000 }, late),
      {},
      'out-of-time',
      'the model endpoint api.x did not answer for 44 s; it was not finished after 90 s',
    ],
    [
      'no answer, in silence',
      seen({ kind: 'unanswered', waitedMs: 44_000 }, silent),
      {},
      'silent',
      'the model endpoint api.x did not answer for 44 s; it gave no output for too long and was stopped',
    ],
    [
      'a result, and then a hang',
      seen({ status: 500 }, silent),
      { ok: true },
      'ran',
      'it had finished, but its program did not end and was stopped',
    ],
  ] as const)('%s', (_name, cell, summary, kind, message) => {
    expect(outcomeOf({ ...cell, endedAt: '2026-11-22T14:00:00Z' }, said(summary), 'gemini')).toMatchObject({ kind, message })
  })

  test('a login that could not be renewed without a network may be renewed later, whatever the CLI made of it', () => {
    const cell = seen({ kind: 'not-renewed', why: offline }, exited(1))
    expect(outcomeOf(cell, said({ loginNeeded: 'Please run /login' }), 'claude')).toMatchObject({
      kind: 'endpoint-failed',
      message: 'its login could not be renewed: the name auth.x could not be resolved; it ended with exit code 1',
      hint: 'run again later with --retry',
    })
  })

  test('standard error is not a cause if the gateway saw the model answer since', () => {
    const models = { answered: 3, failed: [] }
    const answered = { ...late, egress: { ...late.egress, models } }
    expect(outcomeOf(answered, said(trouble('rate-limited', 'quota', noisy)), 'gemini').kind).toBe('out-of-time')
    expect(outcomeOf(answered, said(trouble('rate-limited', 'quota')), 'gemini').kind).toBe('rate-limited')
    const login = { ...trouble('login-needed', 'key', noisy), loginNeeded: 'key' }
    expect(outcomeOf(answered, said(login), 'gemini').kind).toBe('out-of-time')
  })

  test('a limit that ended a run has the time of the answer if the CLI does not give one', () => {
    const cell = seen({ status: 429, resetsAt: inAnHour }, exited(1))
    expect(outcomeOf(cell, said({ rateLimit: { ...limit, resetsAt: null } }), 'claude')).toMatchObject({
      resetsAt: inAnHour,
      message: 'limit reached',
    })
    expect(outcomeOf(cell, said({ rateLimit: limit }), 'claude').resetsAt).toBe(5)
  })
})

test('7: a run that was silent names the limit', () => {
  const silent = report({ kind: 'silent' })
  const limits = [{ limit: 'silence' as const, value: 300_000, asked: true, mechanism: 'host timer' }]
  expect(outcomeOf({ ...silent, limits }, said({}), 'claude').message).toBe('it gave no output for 5 min 00 s and was stopped')
})

test('4: how a command ended is reported once', () => {
  const summary = newParser('command').end({ code: 3, stderr: '' }).reduce(withEvent, noSummary)
  expect(outcomeOf(exited(3), summary, 'command').message).toBe('it ended with exit code 3')
  const crash = newParser('command').end({ code: null, stderr: '' }).reduce(withEvent, noSummary)
  const cell = report({ kind: 'exited', code: 139 })
  expect(outcomeOf(cell, crash, 'command').message).toBe('it ended with exit code 139 (128 + SIGSEGV)')
})

test('only those that did not come to an end are failures to run', () => {
  const failed = (ending: CellEnding): boolean => isFailureToRun(outcomeOf(report(ending), noSummary, 'codex'))
  expect(failed({ kind: 'exited', code: 3 })).toBe(false)
  for (const kind of ['out-of-time', 'out-of-memory', 'silent', 'out-of-disk', 'output-flood', 'cancelled'] as const)
    expect(failed({ kind })).toBe(true)
})

test('required outputs are looked for in the seal, as paths and as globs', () => {
  const ran = outcomeOf(exited(0), noSummary, 'codex')
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

const plain = {
  ...{ isRoot: false, container: null, wsl: null, user: 'u' },
  ...{ hasSystemd: false, hasSession: false, hasCgroup2: false },
}

test.each([
  ['memory', { memory: 100 * 1024 ** 2 }, 'or in a systemd user session'],
  ['cpus', { cpus: 1.5 }, 'or in a systemd user session'],
] as const)(
  '6: a limit of %s that cannot be held is to be left out of contest.yaml, because a contest has no --allow-degraded',
  (name, wish, where) => {
    const limits = planLimits(wish, { memoryBytes: 8 * 1024 ** 3 })
    let hint: string | undefined
    try {
      enforce(limits, null, false, [], () => limitCause(plain))
    } catch (error) {
      hint = (error as { hint?: string }).hint
    }
    expect(hint).toContain(`--allow-degraded ${name}`)
    expect(startFailed('', hint ?? null).hint).toBe(`Run as root, ${where}, or leave ${name} out of limits in contest.yaml`)
  },
)
