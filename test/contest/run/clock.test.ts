import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../../support/contest-bench.ts'

const year = 365 * 86_400_000

// Setting the clock of a machine must not decide a contest.
test('a clock that jumps by years, back and forth, changes neither who wins nor how long it took', async () => {
  let calls = 0
  const now = (): Date => {
    calls += 1
    return new Date(Date.now() + (calls % 3 === 0 ? -2 * year : calls % 3 === 1 ? year : 0))
  }
  await using bench = await openBench({ now })
  await writeContest(bench, { alice: 'echo 1 > answer.txt', bob: 'exit 127' }, { judge: evenJudge(4) })
  const { summary, exitCode } = await runContest(bench.contest, bench.deps)
  expect([exitCode, summary.ranking.map(({ name }) => name), summary.notRanked.map(({ name }) => name)]).toEqual([0, ['alice'], ['bob']])
  // Durations are measured with a clock that nobody can set.
  for (const { durationMs } of summary.ranking) expect(durationMs).toSatisfy((ms: number) => ms >= 0 && ms < year / 2)
  const lines = readFileSync(path.join(bench.contest, 'events.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map((each) => (JSON.parse(each) as { type: string }).type).at(-1)).toBe('reported')

  // It continues from the existing state, and runs nobody again.
  const again = await runContest(bench.contest, bench.deps)
  expect(again.summary.ranking.map(({ name, score, attempts }) => [name, score, attempts])).toEqual(
    summary.ranking.map(({ name, score, attempts }) => [name, score, attempts]),
  )
})
