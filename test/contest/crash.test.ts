import { expect, test } from 'vitest'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'

test('4: how the program of a judge crashed is reported once, before what is wrong with its answer', async () => {
  await using bench = await openBench()
  const crash = "echo '{' > /contest/outbox/scores.json; kill -SEGV $$"
  await writeContest(bench, { one: 'echo 1 > a', failed: 'exit 3' }, { crash })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.judges[0]?.why).toMatch(
    /^it ended with exit code 139 \(128 \+ SIGSEGV\), so scores\.json is not JSON \(.*\); it was asked twice$/,
  )
  expect(summary.notRanked[0]?.outcome?.message).toBe('it left no file in /contest/out; it ended with exit code 3')
})
