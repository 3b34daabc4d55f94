import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isArchived } from '../../../src/contest/archive/allowed-entries.ts'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import type { ContestEvent } from '../../../src/contest/state/progress.ts'
import { followsAtif } from '../../adapters/output/trajectory/atif-rules.ts'
import { evenJudge, openBench, writeContest } from '../../support/contest-bench.ts'

const [works, fails, judged] = ['rounds/1/works/attempts/1', 'rounds/1/fails/attempts/1', 'judging/1/judge/tasks/1/attempts/1']

test('each attempt of a participant or judge keeps its trajectory, also one that failed, and an archive with logs has it', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    { works: 'cat > /dev/null; echo begun; echo 1 > answer.txt; echo written', fails: 'echo no >&2; exit 7' },
    { judge: evenJudge(3) },
  )
  await runContest(bench.contest, bench.deps)
  const read = (attempt: string) => followsAtif(readFileSync(path.join(bench.contest, attempt, 'trajectory.json'), 'utf8'))
  const { agent, steps, final_metrics, extra } = read(works)
  expect(agent).toEqual({ name: 'command', version: 'unknown' })
  expect(steps.map(({ source, message }) => [source, message])).toEqual([
    ['user', expect.stringContaining('/contest/BRIEF.md')],
    ['agent', 'begun\nwritten'],
  ])
  for (const { timestamp } of steps) expect(timestamp).toBeDefined()
  expect(final_metrics).toEqual({ total_steps: 2 })
  expect(extra).toEqual({ role: 'participant', name: 'works', outcome: 'ran' })
  expect(read(fails)).toMatchObject({
    steps: [{ source: 'user' }, { source: 'system', message: 'no' }],
    extra: { outcome: 'ran', why: expect.stringContaining('exit code 7') },
  })
  expect(read(judged)).toMatchObject({ steps: [{ message: expect.stringContaining('/contest/outbox') }], extra: { role: 'judge' } })
  for (const attempt of [works, judged])
    expect([true, false].map((withLogs) => isArchived(`${attempt}/trajectory.json`, withLogs, []))).toEqual([true, false])
})

test('a trajectory that cannot be written is a warning, and the work counts', async () => {
  let contest = ''
  const warnings: string[] = []
  const progress = (event: ContestEvent): void => {
    if (event.type === 'agent') mkdirSync(path.join(contest, works, 'trajectory.json'), { recursive: true })
    if (event.type === 'warning') warnings.push(event.message)
  }
  await using bench = await openBench({ progress })
  contest = bench.contest
  await writeContest(bench, { works: 'echo begun; echo 1 > answer.txt' }, {})
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(warnings).toEqual([expect.stringMatching(/^works: its trajectory\.json could not be written: /)])
  expect([...summary.ranking, ...summary.notRanked].map(({ outcome }) => outcome?.kind)).toEqual(['delivered'])
  expect(existsSync(path.join(bench.contest, works, 'cell.json'))).toBe(true)
})
