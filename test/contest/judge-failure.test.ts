import { expect, test } from 'vitest'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'

test('6: a failed judge says first why its answer could not be used, and each thing once', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    { one: 'echo 1 > a' },
    { crash: `printf '{"scores" 3' > /contest/outbox/scores.json; echo oh no >&2; exit 7`, lazy: 'true' },
  )
  const { summary } = await runContest(bench.contest, bench.deps)
  const why = (name: string): string => summary.judges.find((each) => each.name === name)?.why ?? ''
  expect(why('crash')).toMatch(/^it ended with exit code 7: oh no, so scores\.json is not JSON \(.*\); it was asked twice$/)
  expect(why('lazy')).toBe('there is no /contest/outbox/scores.json; it was asked twice')
  const asked = bench.events.flatMap((each) => (each.type === 'repair' ? [each.problem] : []))
  expect(asked).toEqual(expect.arrayContaining([expect.stringMatching(/^it ended with exit code 7: oh no, so scores\.json is not JSON/)]))
})
