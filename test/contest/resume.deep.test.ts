import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../src/contest/config/contest-layout.ts'
import { reportContest } from '../../src/contest/report/report-contest.ts'
import { judgeContest, runContest } from '../../src/contest/stages/run-contest.ts'
import { contestLock } from '../../src/contest/state/contest-lock.ts'
import { readStatus } from '../../src/contest/state/contest-state.ts'
import { standings } from '../../src/contest/state/judge-state.ts'
import type { ContestEvent } from '../../src/contest/state/progress.ts'
import { type Bench, evenJudge, openBench, writeContest } from '../support/contest-bench.ts'
import { killAt } from '../support/kill-contest.ts'

const started = (bench: Bench): string[] => bench.events.flatMap((each) => (each.type === 'started' ? [each.name] : []))

test('after kill -9 among participants, what was sealed is kept and who was running is run again', async () => {
  await using bench = await openBench()
  // The slow one waits only until the file exists that the test writes after the kill.
  await writeContest(
    bench,
    { quick: 'echo one > answer.txt', slow: 'echo begun; while [ ! -e /contest/raw/go ]; do sleep 0.05; done; echo two > answer.txt' },
    { judge: evenJudge(4) },
  )
  await bench.write('raw/README', 'x')
  await killAt(bench, (event) => event.type === 'sealed' && event.name === 'quick')
  const layout = new Layout(bench.contest)
  const before = readFileSync(layout.sealed(1, 'quick').seal, 'utf8')
  expect(await readStatus(layout)).toMatchObject({
    participants: { quick: { state: 'sealed', attempt: 1 }, slow: { state: 'running', attempt: 1 } },
  })

  await bench.write('raw/go', '')
  const { summary, exitCode } = await runContest(bench.contest, bench.deps)
  expect(exitCode).toBe(0)
  expect(started(bench)).toEqual(['slow', 'judge'])
  expect(readFileSync(layout.sealed(1, 'quick').seal, 'utf8')).toBe(before)
  expect(summary.ranking.map((each) => each.name).toSorted()).toEqual(['quick', 'slow'])
  expect(readFileSync(path.join(layout.attempt(1, 'slow', 2).out, 'answer.txt'), 'utf8')).toBe('two\n')
  expect(existsSync(path.join(layout.attempt(1, 'slow', 1).out, 'answer.txt'))).toBe(false)
  const kinds = readFileSync(layout.events, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as ContestEvent).type)
  expect(kinds.at(-1)).toBe('reported')
})

test('after kill -9 among judges, scores are kept, labels stay, and only who had not scored is asked', async () => {
  await using bench = await openBench()
  const slow = `while [ ! -e /contest/raw/go ]; do sleep 0.05; done; ${evenJudge(2)}`
  await writeContest(bench, { one: 'echo 1 > a', two: 'echo 2 > a' }, { quick: evenJudge(5), slow })
  await bench.write('raw/README', 'x')
  await killAt(bench, (event) => event.type === 'scored' && event.name === 'quick')
  const layout = new Layout(bench.contest)
  const mapping = readFileSync(layout.mapping(1), 'utf8')
  const scores = readFileSync(layout.task(1, 'quick', '1').scores, 'utf8')

  await bench.write('raw/go', '')
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(started(bench)).toEqual(['slow'])
  expect(summary.judging).toBe(1)
  expect(readFileSync(layout.mapping(1), 'utf8')).toBe(mapping)
  expect(readFileSync(layout.task(1, 'quick', '1').scores, 'utf8')).toBe(scores)
  expect(summary.ranking.map((each) => each.spread)).toEqual([
    { min: 25, max: 100 },
    { min: 25, max: 100 },
  ])
})

test('a contest that is done runs nothing again; --fresh starts a new round and keeps the old one', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'echo 1 > a' }, { judge: evenJudge(3) })
  await runContest(bench.contest, bench.deps)
  bench.events.length = 0
  await runContest(bench.contest, bench.deps)
  expect(started(bench)).toEqual([])
  const { summary } = await runContest(bench.contest, bench.deps, { fresh: true })
  expect(started(bench)).toEqual(['one', 'judge'])
  expect(summary).toMatchObject({ round: 2, judging: 2 })
  expect(existsSync(new Layout(bench.contest).sealed(1, 'one').seal)).toBe(true)
})

test('a contest that an earlier version sealed as directories is checked, judged and reported', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'mkdir d; echo 1 > d/a' }, { judge: evenJudge(5) }, { checks: [{ name: 'there', command: 'cat d/a' }] })
  await runContest(bench.contest, bench.deps)
  const layout = new Layout(bench.contest)
  const { archive, out, seal } = layout.sealed(1, 'one')
  mkdirSync(out)
  execFileSync('tar', ['-xf', archive, '-C', out])
  rmSync(archive)
  writeFileSync(seal, readFileSync(seal, 'utf8').replace('"schemaVersion": 2', '"schemaVersion": 1'))
  writeFileSync(layout.status, readFileSync(layout.status, 'utf8').replace('"checked"', '"sealed"'))
  expect(await judgeContest(bench.contest, bench.deps)).toMatchObject({ judging: 2, tasks: [{ judge: 'judge', state: 'scored' }] })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map((each) => [each.score, each.checks.results[0]?.output])).toEqual([[100, '1\n']])
})

test('judging anew deals anew, and a judge that now writes nothing has no scores', async () => {
  await using bench = await openBench()
  const judges = { judge: `[ -e /contest/raw/no ] || { ${evenJudge(5)}; }`, other: evenJudge(3) }
  await writeContest(bench, { one: 'echo 1 > a', two: 'echo 2 > a' }, judges)
  await bench.write('raw/README', 'x')
  expect((await runContest(bench.contest, bench.deps)).summary.ranking.map((each) => each.score)).toEqual([75, 75])
  await bench.write('raw/no', '')
  const status = await judgeContest(bench.contest, bench.deps)
  expect(status.judging).toBe(2)
  expect(standings(status.tasks)).toMatchObject({ judge: { state: 'failed', attempt: 2 }, other: { state: 'scored', attempt: 1 } })
  const { summary, exitCode } = await runContest(bench.contest, bench.deps)
  expect([exitCode, summary.judging]).toEqual([0, 2])
  expect(summary.judges.map((each) => [each.name, each.state])).toEqual([
    ['judge', 'failed'],
    ['other', 'scored'],
  ])
  expect(summary.ranking.map((each) => each.score)).toEqual([50, 50])
})

test('two runs of one contest at once: the second is refused with the holder’s process', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'sleep 0.3; echo 1 > a' }, { judge: evenJudge(3) })
  const lock = await contestLock(new Layout(bench.contest), bench.deps.paths)
  const first = runContest(bench.contest, bench.deps)
  await expect.poll(() => existsSync(lock)).toBe(true)
  await expect(runContest(bench.contest, bench.deps)).rejects.toMatchObject({ code: 'BUSY', exitCode: 125 })
  await first
})

test('a report is made while the contest runs, of what is done by then, and the run makes its own at the end', async () => {
  await using bench = await openBench()
  const slow = 'while [ ! -e /contest/raw/go ]; do sleep 0.05; done; echo 2 > a'
  await writeContest(bench, { quick: 'echo 1 > a', slow }, { judge: evenJudge(3) })
  await bench.write('raw/README', 'x')
  const layout = new Layout(bench.contest)
  const running = runContest(bench.contest, bench.deps)
  await expect.poll(() => bench.events.some((each) => each.type === 'sealed'), { timeout: 30_000 }).toBe(true)
  await expect.poll(() => bench.events.filter((each) => each.type === 'started').length, { timeout: 30_000 }).toBe(2)
  const events = readFileSync(layout.events, 'utf8')
  const { summary } = await reportContest(bench.contest, bench.deps.now)
  expect(summary.ranking.map((each) => each.name)).toEqual(['quick'])
  expect(summary.notRanked).toMatchObject([{ name: 'slow', outcome: null }])
  expect(summary.judges).toMatchObject([{ name: 'judge', state: 'pending' }])
  expect(JSON.parse(readFileSync(layout.summary, 'utf8'))).toEqual(summary)
  expect(readFileSync(layout.events, 'utf8')).toBe(events)
  await bench.write('raw/go', '')
  const end = await running
  expect(end.summary.ranking.map((each) => each.name)).toEqual(['quick', 'slow'])
  expect(JSON.parse(readFileSync(layout.summary, 'utf8'))).toEqual(end.summary)
})

test('a stop ends all cells, keeps what is done, and the next run goes on', async () => {
  const stop = new AbortController()
  await using bench = await openBench({ signal: stop.signal })
  await writeContest(
    bench,
    { quick: 'echo 1 > a', slow: 'while [ ! -e /contest/raw/go ]; do sleep 0.05; done; echo 2 > a' },
    { judge: evenJudge(3) },
  )
  await bench.write('raw/README', 'x')
  const progress: Bench['deps']['progress'] = (event) => {
    if (event.type === 'sealed') stop.abort()
  }
  await expect(runContest(bench.contest, { ...bench.deps, progress })).rejects.toMatchObject({ code: 'CANCELLED', exitCode: 130 })
  expect(await readStatus(new Layout(bench.contest))).toMatchObject({
    participants: { quick: { state: 'sealed' }, slow: { state: 'ended', outcome: { kind: 'cancelled' } } },
  })
  await bench.write('raw/go', '')
  const { summary } = await runContest(bench.contest, { ...bench.deps, signal: new AbortController().signal })
  expect(started(bench)).toEqual(['slow', 'judge'])
  expect(summary.ranking).toHaveLength(2)
})

test('6: an attempt gets a new directory, so no foreign file is sealed', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'exec no-such-program' }, {}, { judges: [], checks: [{ name: 'runs', command: 'true' }] })
  await runContest(bench.contest, bench.deps)
  await bench.write('rounds/1/one/attempts/2/out/planted', 'not its work\n')
  await runContest(bench.contest, bench.deps, { retry: true })
  expect((await readStatus(new Layout(bench.contest)))?.participants['one']?.attempt).toBe(3)
})

test('6: a judge that is asked again, and is stopped before it answers, keeps the scores that it gave', async () => {
  const stop = new AbortController()
  await using bench = await openBench({ signal: stop.signal })
  await writeContest(bench, { one: 'echo 1 > a', two: 'echo 2 > a' }, { judge: evenJudge(5), other: evenJudge(3) })
  await runContest(bench.contest, bench.deps)
  const progress = (event: ContestEvent): void => {
    if (event.type === 'started' && event.name === 'judge') stop.abort(new Error('stopped'))
  }
  await runContest(bench.contest, { ...bench.deps, progress }, { retry: true, only: 'judge' }).catch(() => undefined)
  expect(stop.signal.aborted).toBe(true)
  const { summary } = await reportContest(bench.contest, bench.deps.now)
  expect(summary.ranking.map((each) => each.score)).toEqual([75, 75])
})
