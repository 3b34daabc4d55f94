import { expect, test } from 'vitest'
import { runContest } from '../../src/contest/run/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'

test('6: a check whose command is missing for everybody could not be run, and one that a submission breaks has failed', async () => {
  await using bench = await openBench()
  const checks = [
    { name: 'line', command: 'nosuchcmd --all' },
    { name: 'list', command: ['nosuchcmd'] },
    { name: 'works', command: './works' },
  ]
  await writeContest(
    bench,
    { good: 'printf "#!/bin/sh\\nexit 0\\n" > works; chmod +x works', bad: 'echo 1 > other' },
    {},
    { judges: [], checks },
  )
  const { summary } = await runContest(bench.contest, bench.deps)
  const missing = { result: 'could-not-run', exitCode: 127, why: 'exit code 127: a command was not found' }
  const resultsOf = (name: string) => summary.ranking.find((each) => each.name === name)?.checks.results
  expect(resultsOf('good')).toMatchObject([missing, missing, { result: 'passed' }])
  expect(resultsOf('bad')).toMatchObject([missing, missing, { ...missing, result: 'failed' }])
  expect(summary.ranking.map(({ name, score }) => [name, score])).toEqual([
    ['good', 100],
    ['bad', 0],
  ])
  expect(summary.notes).toContain('Check line could not be run and does not count: exit code 127: a command was not found.')
  expect(bench.events).toContainEqual(expect.objectContaining({ type: 'checked', check: 'line', why: missing.why }))
})
