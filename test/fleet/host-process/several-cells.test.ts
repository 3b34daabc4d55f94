import { expect, test } from 'vitest'
import { noSummary } from '../../../src/adapters/output/run-summary.ts'
import type { CellReport } from '../../../src/cell/report.ts'
import { joinReports, joinSummaries } from '../../../src/fleet/host-process/several-cells.ts'

test("usage of two cells is added, and the second one's ending counts", () => {
  const usage = { input: 1, output: 2, cachedInput: 3, model: null }
  const first = { ...noSummary, usage, costUsd: 0.5, conversation: 'c-1', toolCalls: 2, ok: false, resultText: 'refused' }
  const second = { ...noSummary, usage: { ...usage, model: 'm' }, costUsd: null, toolCalls: 1, ok: true, resultText: 'done' }
  expect(joinSummaries(first, second)).toMatchObject({
    usage: { input: 2, output: 4, cachedInput: 6, model: 'm' },
    costUsd: 0.5,
    conversation: 'c-1',
    toolCalls: 3,
    ok: true,
    resultText: 'done',
  })
})

test('a file that two cells changed is listed once, and a file that the first created stays created', () => {
  const none = {
    created: [],
    modified: [],
    deleted: [],
    renamed: [],
    git: [],
    runsLater: [],
    quarantined: [],
    unsearched: [],
    truncated: false,
  }
  const report = (changes: object) => ({ cell: 'x', changes: { ...none, ...changes } }) as unknown as CellReport
  const joined = joinReports(
    report({ created: ['b'], modified: ['c'], runsLater: [{ path: 'b', why: '1' }] }),
    report({ created: ['a'], modified: ['b', 'c'], runsLater: [{ path: 'b', why: '2' }], truncated: true }),
  )
  expect(joined.changes).toEqual({
    ...none,
    created: ['a', 'b'],
    modified: ['c'],
    runsLater: [{ path: 'b', why: '2' }],
    truncated: true,
  })
})
