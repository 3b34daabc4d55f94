import { expect, test } from 'vitest'
import { recordedMatrix } from '../../src/guarantees/recorded-matrix.ts'
import type { RecordedRun } from '../../src/guarantees/recorded-runs.ts'

const run = (over: Partial<RecordedRun>): RecordedRun => ({
  ...{ schemaVersion: 1, posture: 'L2', backend: 'bubblewrap', backendVersion: 'bubblewrap 0.8.0', egress: 'allowlist', user: 'user' },
  ...{ at: '2026-01-01T00:00:00.000Z', version: '1.0.0', system: 'Debian', statuses: {} },
  ...over,
})

test('the matrix has a column for each level, backend and user, and the worst result of its runs', () => {
  const { columns, rows } = recordedMatrix(
    [{ id: 'home-absent', notAt: ['L1'] }, { id: 'no-mounts' }, { id: 'names' }],
    [
      run({ statuses: { 'home-absent': 'held', 'no-mounts': 'held' } }),
      run({ egress: 'off', statuses: { 'home-absent': 'held', 'no-mounts': 'broken' } }),
      run({ user: 'root', statuses: { 'home-absent': 'unenforceable', 'no-mounts': 'held', names: 'held' } }),
    ],
    [
      { posture: 'L1', backend: 'bubblewrap' },
      { posture: 'L2', backend: 'bubblewrap' },
    ],
  )
  expect(columns.map((each) => [each.posture, each.backend, each.user, each.runs.length])).toEqual([
    ['L1', 'bubblewrap', null, 0],
    ['L2', 'bubblewrap', 'root', 1],
    ['L2', 'bubblewrap', 'user', 2],
  ])
  expect(rows).toEqual([
    { id: 'home-absent', cells: ['not promised', 'not enforceable', 'held'] },
    { id: 'no-mounts', cells: ['not run', 'held', 'broken'] },
    { id: 'names', cells: ['not run', 'held', 'not run'] },
  ])
})
