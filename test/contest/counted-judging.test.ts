import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leaderboardLines, statusLines } from '../../src/cli/contest/contest-lines.ts'
import { Layout } from '../../src/contest/config/contest-layout.ts'
import { reportContest } from '../../src/contest/report/report-contest.ts'
import { judgeContest, runContest } from '../../src/contest/stages/run-contest.ts'
import type { ContestEvent } from '../../src/contest/state/progress.ts'
import { contestStatus } from '../../src/contest/state/task-state.ts'
import { type Bench, evenJudge, openBench, writeContest } from '../support/contest-bench.ts'

/** The second judge waits until raw/go exists, and the first one does not. */
const participants = { one: 'echo 1 > a', two: 'echo 2 > a' }
const waiting = `while [ ! -e /contest/raw/go ]; do sleep 0.05; done; ${evenJudge(5)}`

async function judged(bench: Bench): Promise<void> {
  await writeContest(bench, participants, { quick: evenJudge(4), slow: evenJudge(5) })
  await bench.write('raw/README', 'x')
  await runContest(bench.contest, bench.deps)
}

/** Judges again, and stops as soon as the first of two judges has scored. */
async function judgeAndStop(bench: Bench): Promise<void> {
  const stop = new AbortController()
  const progress = (event: ContestEvent): void => {
    if (event.type === 'scored') stop.abort()
  }
  await expect(judgeContest(bench.contest, { ...bench.deps, progress, signal: stop.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
}

test('6: an interrupted judging does not replace a complete one, and report and terminal say which counts', async () => {
  await using bench = await openBench()
  await judged(bench)
  await writeContest(bench, participants, { quick: evenJudge(1), slow: waiting })
  await judgeAndStop(bench)
  const { summary, exitCode } = await reportContest(bench.contest, bench.deps.now)
  expect([exitCode, summary.judging, summary.unfinishedJudging]).toEqual([0, 1, 2])
  expect(summary.judges.map((each) => each.state)).toEqual(['scored', 'scored'])
  expect(summary.ranking.map((each) => [each.score, each.spread])).toEqual([
    [87.5, { min: 75, max: 100 }],
    [87.5, { min: 75, max: 100 }],
  ])
  const note = 'Judging 1 counts, because judging 2 is not complete. To finish it: paddock contest judge'
  const { html, leaderboard } = new Layout(bench.contest)
  for (const file of [html, leaderboard]) expect(readFileSync(file, 'utf8')).toContain(note)
  expect(leaderboardLines(summary, 'dir')).toContain(`${note} dir`)
  const { contest, status, atWork } = await contestStatus(bench.contest, bench.deps.paths)
  expect(statusLines(contest.config, status, atWork)[0]).toBe('trial: round 1, judging 2 (not complete; judging 1 counts)')

  await bench.write('raw/go', '')
  await judgeContest(bench.contest, bench.deps)
  const finished = await reportContest(bench.contest, bench.deps.now)
  expect(finished.summary).toMatchObject({ judging: 2, unfinishedJudging: null })
  expect(finished.summary.ranking.map((each) => each.score)).toEqual([50, 50])
})

test('6: a judging in which every judge failed does not replace one with scores', async () => {
  await using bench = await openBench()
  await judged(bench)
  await writeContest(bench, participants, { quick: 'exit 3', slow: 'exit 3' })
  await judgeContest(bench.contest, bench.deps)
  const { summary } = await reportContest(bench.contest, bench.deps.now)
  expect([summary.judging, summary.unfinishedJudging]).toEqual([1, 2])
  expect(summary.ranking.map((each) => each.score)).toEqual([87.5, 87.5])
})

test('6: a judging that is refused does not replace a complete one', async () => {
  await using bench = await openBench()
  await judged(bench)
  const { archive } = new Layout(bench.contest).sealed(1, 'one')
  const whole = readFileSync(archive)
  writeFileSync(archive, Buffer.concat([whole.subarray(0, -1024), Buffer.alloc(1024, 1)]))
  await expect(judgeContest(bench.contest, bench.deps)).rejects.toThrow()
  const { summary } = await reportContest(bench.contest, bench.deps.now)
  expect(summary).toMatchObject({ rankedBy: 'judges', judging: 1, unfinishedJudging: 2 })
})

test('6: a judging whose failed judge is asked again, and that is interrupted, still counts', async () => {
  await using bench = await openBench()
  await judged(bench)
  await writeContest(bench, participants, { quick: evenJudge(1), slow: 'true' })
  await judgeContest(bench.contest, bench.deps)
  await writeContest(bench, participants, { quick: evenJudge(1), slow: waiting })
  const stop = new AbortController()
  const progress = (event: ContestEvent): void => {
    if (event.type === 'started') stop.abort()
  }
  const deps = { ...bench.deps, progress, signal: stop.signal }
  await expect(judgeContest(bench.contest, deps, { retry: true })).rejects.toMatchObject({ code: 'CANCELLED' })
  const { summary } = await reportContest(bench.contest, bench.deps.now)
  expect(summary.judging).toBe(2)
  expect(summary.ranking.map((each) => each.score)).toEqual([0, 0])
})

test('6: if no judging is complete, the unfinished one counts, and the report says so', async () => {
  await using bench = await openBench()
  await writeContest(bench, participants, { quick: evenJudge(4), slow: waiting })
  await bench.write('raw/README', 'x')
  const stop = new AbortController()
  const progress = (event: ContestEvent): void => {
    if (event.type === 'scored') stop.abort()
  }
  await expect(runContest(bench.contest, { ...bench.deps, progress, signal: stop.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
  const { summary } = await reportContest(bench.contest, bench.deps.now)
  expect(summary).toMatchObject({ judging: 1, unfinishedJudging: 1 })
  expect(summary.notes).toContain('Judging 1 is not complete: 1 of 2 judges has answered. To finish it: paddock contest judge')
})

test('6: a brief or a rubric that changed since is reported', async () => {
  await using bench = await openBench()
  await judged(bench)
  expect((await reportContest(bench.contest, bench.deps.now)).summary.notes.join()).not.toContain('changed')
  await bench.write('BRIEF.md', 'Write answer.txt and more.\n')
  await writeContest(
    bench,
    participants,
    { quick: evenJudge(4), slow: evenJudge(5) },
    { rubric: { scale: { min: 1, max: 5 }, dimensions: [{ id: 'quality', description: 'How fast it is.' }] } },
  )
  await bench.write('BRIEF.md', 'Write answer.txt and more.\n')
  const { summary } = await reportContest(bench.contest, bench.deps.now)
  const notes = [
    'BRIEF.md changed after one and two had worked. To have them work again: paddock contest run --fresh',
    'BRIEF.md and the rubric changed after quick and slow had scored. To have them score again: paddock contest judge',
  ]
  expect(summary.notes).toEqual(expect.arrayContaining(notes))
  const { html, leaderboard, summary: json } = new Layout(bench.contest)
  for (const file of [html, leaderboard, json]) for (const each of notes) expect(readFileSync(file, 'utf8')).toContain(each)
  expect(leaderboardLines(summary, 'dir')).toEqual(expect.arrayContaining(notes.map((each) => `${each} dir`)))
})
