import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { copyExample, openBench } from '../support/contest-bench.ts'
import { withoutScript } from '../support/report-text.ts'

test('the demo contest goes through to a report that ranks the careful first and the hasty last', async () => {
  await using bench = await openBench()
  await copyExample('hello', bench.contest)
  const { summary, exitCode, files } = await runContest(bench.contest, bench.deps)

  expect(exitCode).toBe(0)
  expect(summary.notRanked).toEqual([])
  expect(summary.judges.map((each) => each.state)).toEqual(['scored', 'scored', 'scored'])
  expect(summary.ranking.map((each) => each.name)).toEqual(['careful', 'patient', 'hasty'])
  expect(summary.ranking.map((each) => each.checks.passed)).toEqual([4, 4, 2])
  const page = await readFile(files.html, 'utf8')
  expect(page).toContain('careful')
  expect(withoutScript(page)).not.toMatch(/\ssrc=|\shref="(?!#|\.\.\/)|url\(/)
  expect((await stat(path.join(bench.contest, 'judging/1/mapping.json'))).mode & 0o777).toBe(0o600)
  expect(await readFile(files.leaderboard, 'utf8')).toMatch(/\| 1(–\d)? \| \*\*careful\*\* \|/)
})
