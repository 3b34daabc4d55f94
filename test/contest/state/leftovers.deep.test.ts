import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cleanContest, pruneContest } from '../../../src/contest/cleanup/leftovers.ts'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { reportContest } from '../../../src/contest/report/report-contest.ts'
import { judgeContest, runContest } from '../../../src/contest/stages/run-contest.ts'
import { contestLock } from '../../../src/contest/state/contest-lock.ts'
import { scratchOf } from '../../../src/contest/state/scene.ts'
import { takeLock } from '../../../src/files/lock.ts'
import { type Bench, evenJudge, openBench, writeContest } from '../../support/contest-bench.ts'

const kilobyte = 'head -c 1024 /dev/zero > a'
const paths = (result: { removed: readonly { path: string }[] }): string[] => result.removed.map((each) => each.path).toSorted()

/** Runs and judges a contest twice. One participant delivers in its first attempt, and the other one fails to run twice. */
async function used(bench: Bench): Promise<Layout> {
  await writeContest(bench, { one: kilobyte, two: `${kilobyte}; exec no-such-program` }, { judge: evenJudge(4) })
  await runContest(bench.contest, bench.deps)
  await runContest(bench.contest, bench.deps, { retry: true })
  await judgeContest(bench.contest, bench.deps)
  return new Layout(bench.contest)
}

test('6: clean removes what is sealed elsewhere, and says how large it was before and after', async () => {
  await using bench = await openBench()
  const layout = await used(bench)
  mkdirSync(scratchOf(bench.deps, layout.root), { recursive: true })
  const wanted = ['rounds/1/one/attempts/1/out', scratchOf(bench.deps, layout.root)].toSorted()

  const dry = await cleanContest(bench.contest, bench.deps, { dryRun: true })
  expect([paths(dry), dry.bytesAfter]).toEqual([wanted, dry.bytesBefore])
  const done = await cleanContest(bench.contest, bench.deps, { dryRun: false })
  expect(paths(done)).toEqual(wanted)
  expect(done.bytes).toBe(1024)
  expect(done.bytesBefore - done.bytesAfter).toBe(done.bytes)
  expect(existsSync(layout.attempt(1, 'one', 1).out)).toBe(false)
  // This is the only copy of the attempt's files.
  expect(existsSync(path.join(layout.attempt(1, 'two', 2).out, 'a'))).toBe(true)

  expect((await cleanContest(bench.contest, bench.deps, { dryRun: false })).removed).toEqual([])
  expect(await judgeContest(bench.contest, bench.deps)).toMatchObject({ judging: 3, tasks: [{ judge: 'judge', state: 'scored' }] })
  expect((await reportContest(bench.contest, bench.deps.now)).summary.ranking.map((each) => [each.name, each.score])).toEqual([['one', 75]])
})

test('6: prune removes attempts and logs of judgings that no longer count, and no seal, score or report', async () => {
  await using bench = await openBench()
  const layout = await used(bench)
  await reportContest(bench.contest, bench.deps.now)
  expect(paths(await pruneContest(bench.contest, bench.deps, { dryRun: false, all: false }))).toEqual([
    'judging/1/judge/tasks/1/attempts',
    'rounds/1/two/attempts/1',
  ])
  const kept = [
    layout.sealed(1, 'one').archive,
    layout.task(1, 'judge', '1').scores,
    layout.mapping(1),
    layout.html,
    layout.attempt(1, 'two', 2).out,
  ]
  expect(kept.map((each) => existsSync(each))).toEqual(kept.map(() => true))

  await runContest(bench.contest, bench.deps, { fresh: true })
  expect(paths(await pruneContest(bench.contest, bench.deps, { dryRun: false, all: false }))).toEqual([
    'judging/2/judge/tasks/1/attempts',
    'rounds/1/one/attempts/1',
    'rounds/1/two/attempts/2',
  ])
  expect(existsSync(layout.sealed(1, 'one').archive)).toBe(true)
  expect(paths(await pruneContest(bench.contest, bench.deps, { dryRun: false, all: true }))).toEqual(['judging/1', 'judging/2', 'rounds/1'])
  expect((await reportContest(bench.contest, bench.deps.now)).summary).toMatchObject({ round: 2, judging: 3, rankedBy: 'judges' })
})

test('6: prune keeps the judging that counts while a newer one is not complete', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: kilobyte }, { judge: evenJudge(4) })
  await runContest(bench.contest, bench.deps)
  const stop = new AbortController()
  const deps = { ...bench.deps, signal: stop.signal, progress: () => stop.abort() }
  await expect(judgeContest(bench.contest, deps)).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(paths(await pruneContest(bench.contest, bench.deps, { dryRun: false, all: true }))).toEqual([])
  expect((await reportContest(bench.contest, bench.deps.now)).summary).toMatchObject({ judging: 1, unfinishedJudging: 2 })
})

test('6: clean and prune refuse a contest that is at work, and follow no link', async () => {
  await using bench = await openBench()
  const layout = await used(bench)
  {
    using _lock = await takeLock({ file: await contestLock(layout, bench.deps.paths), what: 'It', command: 'a test' })
    await expect(cleanContest(bench.contest, bench.deps, { dryRun: false })).rejects.toMatchObject({ code: 'BUSY' })
    await expect(pruneContest(bench.contest, bench.deps, { dryRun: false, all: false })).rejects.toMatchObject({ code: 'BUSY' })
  }
  renameSync(layout.rounds, path.join(bench.root, 'elsewhere'))
  symlinkSync(path.join(bench.root, 'elsewhere'), layout.rounds)
  expect(paths(await cleanContest(bench.contest, bench.deps, { dryRun: false }))).toEqual([])
  await expect(cleanContest(bench.root, bench.deps, { dryRun: false })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('6: prune deletes nothing elsewhere if a directory of the contest becomes a link while it looks', async () => {
  await using bench = await openBench()
  const layout = await used(bench)
  const [elsewhere, away, link] = ['elsewhere', 'away', 'link'].map((each) => path.join(bench.root, each)) as [string, string, string]
  const names = Array.from({ length: 50 }, (_, at) => String(at + 100))
  for (const each of names) for (const base of [elsewhere, layout.judgings]) mkdirSync(path.join(base, each, 'a'), { recursive: true })
  symlinkSync(elsewhere, link)
  let isLink = false
  // Like a cell that may write to the directory around the contest.
  const swap = (): void => {
    renameSync(layout.judgings, isLink ? link : away)
    renameSync(isLink ? away : link, layout.judgings)
    isLink = !isLink
    swapping = setImmediate(swap)
  }
  let swapping = setImmediate(swap)
  for (let round = 0; round < 20; round++) await pruneContest(bench.contest, bench.deps, { dryRun: false, all: true })
  clearImmediate(swapping)
  expect(readdirSync(elsewhere)).toEqual(names)
  if (isLink) {
    renameSync(layout.judgings, link)
    renameSync(away, layout.judgings)
  }
  await pruneContest(bench.contest, bench.deps, { dryRun: false, all: true })
  expect(readdirSync(layout.judgings).filter((each) => names.includes(each))).toEqual([])
})

test('6: clean keeps the only copy of what was sealed', async () => {
  await using bench = await openBench()
  const layout = await used(bench)
  rmSync(layout.sealed(1, 'one').archive)
  expect(paths(await cleanContest(bench.contest, bench.deps, { dryRun: false }))).toEqual([])
})
