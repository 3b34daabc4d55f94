import { expect, test } from 'vitest'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { bindMounts } from '../support/bind-backend/backend.ts'
import { givenUp } from '../support/bind-backend/given-up.ts'
import { copyExample, openBench } from '../support/contest-bench.ts'
import { realCells } from '../support/real-cell.ts'

test('the demo contest runs on a backend that no part of a contest knows, which gives up by name what it cannot enforce', async () => {
  const started: string[] = []
  await using bench = await openBench()
  const start = realCells(bench.deps.paths, { backends: [bindMounts()] })
  await copyExample('hello', bench.contest)
  const { summary, exitCode } = await runContest(bench.contest, {
    ...bench.deps,
    startCell: async (spec, io, signal) => {
      const cell = await start({ ...spec, degraded: [...spec.degraded, ...Object.keys(givenUp)] }, io, signal)
      void cell.done.then((report) => started.push(report.backend))
      return cell
    },
  })
  expect(exitCode).toBe(0)
  expect(summary.notRanked).toEqual([])
  expect(summary.judges.map((each) => each.state)).toEqual(['scored', 'scored', 'scored'])
  expect(summary.ranking.map((each) => each.name)).toEqual(['careful', 'patient', 'hasty'])
  expect(summary.ranking.map((each) => each.checks.passed)).toEqual([4, 4, 2])
  expect(new Set(started)).toEqual(new Set(['bind-mounts']))
})
