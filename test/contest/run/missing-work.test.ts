import { expect, test } from 'vitest'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { openPurse } from '../../../src/contest/state/purse.ts'
import { slotsOf } from '../../../src/contest/state/slots.ts'
import { evenJudge, openBench, writeContest } from '../../support/contest-bench.ts'

test('judges are asked only when the budget lets every participant start, and then once', async () => {
  await using bench = await openBench()
  await writeContest(bench, { a: 'echo 1 > answer.txt', b: 'echo 2 > answer.txt' }, { j: evenJudge(3) })
  const run = async (tokens: number) => {
    const purse = openPurse({ tokens }, () => 0)
    purse.note('participant', 'b', { costUsd: null, usage: { input: 10, output: 0 }, durationMs: 1 })
    return (await runContest(bench.contest, bench.deps, { shared: { slots: slotsOf({ cells: 1 }), purse } })).summary
  }
  // 10 are used, and b would need 10 more.
  const early = await run(15)
  expect([early.ranking.map(({ name }) => name), early.notRanked.map(({ name }) => name)]).toEqual([['a'], ['b']])
  expect([early.judging, early.judges[0]?.state]).toEqual([0, 'pending'])
  const whole = await run(100)
  expect([whole.judging, whole.judges[0]?.state, whole.judges[0]?.attempts]).toEqual([1, 'scored', 1])
})
