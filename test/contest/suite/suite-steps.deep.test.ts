import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contestLock } from '../../../src/contest/state/contest-lock.ts'
import { cancelSuite } from '../../../src/contest/suite/cancel-suite.ts'
import { readSuite } from '../../../src/contest/suite/config/read-suite.ts'
import { archiveSuite, cleanSuite } from '../../../src/contest/suite/each-contest.ts'
import { runsOf, standingsOf } from '../../../src/contest/suite/runs.ts'
import { refineSuite, rejudgeSuite } from '../../../src/contest/suite/suite-again.ts'
import { takeLock } from '../../../src/files/lock.ts'
import { openSuiteBench, type SuiteBench, writeSuite } from '../../support/suite-bench.ts'

const writes = { a: 'echo 1 >> answer.txt', b: 'echo 2 >> answer.txt' }

function statusOf(bench: SuiteBench, brief: string) {
  return JSON.parse(readFileSync(path.join(bench.contest, `runs/${brief}/1/status.json`), 'utf8'))
}

const states = (contests: readonly { readonly run: string; readonly state: string; readonly why: string | null }[]) =>
  contests.map(({ run, state, why }) => [run, state, why])

test('suite clean and archive act on each contest that was run, name the others, and are not repeated', async () => {
  await using bench = await openSuiteBench()
  const { deps } = bench
  await writeSuite(bench, writes, ['one', 'two', 'three'])
  await expect(cleanSuite(bench.contest, deps, { dryRun: false })).rejects.toThrow('was never run')
  await bench.run({ only: ['one', 'two'] })
  const all = [
    ['one/1', 'done', null],
    ['three/1', 'skipped', 'it was never run'],
    ['two/1', 'done', null],
  ]
  const seen = await cleanSuite(bench.contest, deps, { dryRun: true })
  expect([states(seen.contests), seen.contests[0]?.result?.removed.length]).toEqual([all, 2])
  expect(existsSync(path.join(bench.contest, 'runs/one/1/rounds/1/a/attempts/1/out'))).toBe(true)
  const cleaned = await cleanSuite(bench.contest, deps, { dryRun: false, only: ['one'] })
  expect(states(cleaned.contests)).toEqual([['one/1', 'done', null]])
  const out = (brief: string): boolean => existsSync(path.join(bench.contest, `runs/${brief}/1/rounds/1/a/attempts/1/out`))
  expect([out('one'), out('two')]).toEqual([false, true])
  expect((await cleanSuite(bench.contest, deps, { dryRun: false })).contests.map(({ result }) => result?.removed.length)).toEqual([
    0,
    undefined,
    2,
  ])

  const into = path.join(bench.root, 'archives')
  const options = { withLogs: false, format: 'tar', out: into, allowSecrets: false } as const
  expect(states((await archiveSuite(bench.contest, deps, options)).contests)).toEqual(all)
  expect(readdirSync(into).toSorted()).toEqual(['one-1.tar', 'two-1.tar'])
  // A kill leaves complete archives, and one with another name.
  await rm(path.join(into, 'two-1.tar'))
  await writeFile(path.join(into, '.two-1.tar.partial'), 'half')
  expect(states((await archiveSuite(bench.contest, deps, options)).contests)).toEqual([
    ['one/1', 'skipped', `${into}/one-1.tar already exists`],
    ['three/1', 'skipped', 'it was never run'],
    ['two/1', 'done', null],
  ])
  expect(readdirSync(into).toSorted()).toEqual(['one-1.tar', 'two-1.tar'])
})

test('archives are not written through a link that came with a suite', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'echo 1 > answer.txt' }, ['one'], {}, { judges: [] })
  await bench.run()
  const outside = path.join(bench.root, 'outside')
  await mkdir(outside)
  await symlink(outside, path.join(bench.contest, 'report/archives'))
  const options = { withLogs: false, format: 'tar', allowSecrets: false } as const
  for (const below of ['report/archives', 'report/archives/deeper'])
    await expect(archiveSuite(bench.contest, bench.deps, { ...options, out: path.join(bench.contest, below) })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('is a symbolic link, or behind one'),
    })
  expect(readdirSync(outside)).toEqual([])
})

test('a contest that cannot be archived does not stop the others', async () => {
  await using bench = await openSuiteBench()
  const token = `ghp${'_'}wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx`
  await writeSuite(bench, { a: 'cp /contest/raw/x answer.txt' }, ['one', 'two'])
  await bench.write('briefs/one/raw/x', `x = "${token}"\n`)
  await bench.write('briefs/two/raw/x', 'x\n')
  await bench.run()
  const into = path.join(bench.root, 'archives')
  const { contests } = await archiveSuite(bench.contest, bench.deps, { withLogs: false, format: 'dir', out: into, allowSecrets: false })
  expect(states(contests)).toEqual([
    ['one/1', 'failed', expect.stringContaining('The archive would contain what looks like secrets')],
    ['two/1', 'done', null],
  ])
  expect(readdirSync(into)).toEqual(['two-1'])
})

test('suite rejudge asks all judges of each contest again, once, also after a kill', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, writes, ['one', 'three', 'two'])
  await bench.run({ only: ['one', 'two'] })
  const { contests, summary } = await rejudgeSuite(bench.contest, bench.suiteDeps)
  expect(states(contests)).toEqual([
    ['one/1', 'done', null],
    ['three/1', 'skipped', 'it was never run'],
    ['two/1', 'done', null],
  ])
  expect(summary.judges[0]).toMatchObject({ answered: 2 })
  expect(['one', 'two'].map((each) => statusOf(bench, each).judging)).toEqual([2, 2])
  const record = path.join(bench.contest, 'runs/rejudge.json')
  expect(existsSync(record)).toBe(false)
  // Killed after the first contest was judged a second time.
  await writeFile(record, JSON.stringify({ schemaVersion: 1, before: { 'one/1': 1, 'two/1': 2 } }))
  await rejudgeSuite(bench.contest, bench.suiteDeps)
  expect(['one', 'two'].map((each) => statusOf(bench, each).judging)).toEqual([2, 3])
  expect(existsSync(record)).toBe(false)
  // Killed within a judging: it is continued under the same labels.
  await writeFile(record, JSON.stringify({ schemaVersion: 1, before: { 'one/1': 1, 'two/1': 2 } }))
  const two = statusOf(bench, 'two')
  two.tasks[0] = { ...two.tasks[0], state: 'pending', outcome: null }
  await writeFile(path.join(bench.contest, 'runs/two/1/status.json'), JSON.stringify(two))
  await rejudgeSuite(bench.contest, bench.suiteDeps)
  expect(statusOf(bench, 'two')).toMatchObject({ judging: 3, tasks: [{ state: 'scored', attempt: 2 }] })
  await writeFile(record, JSON.stringify({ schemaVersion: 1, before: { 'one/1': 1 } }))
  await bench.run({ fresh: true, only: ['one'] })
  expect(existsSync(record)).toBe(false)
})

test('a contest whose work is not sealed or not checked yet is not complete, and suite run goes on with it', async () => {
  await using bench = await openSuiteBench()
  const checks = [{ name: 'there', command: 'test -s answer.txt' }]
  await writeSuite(bench, writes, ['one', 'two'], {}, { judges: [], ranking: 'checks', checks })
  await bench.run()
  const at = (brief: string, file: string): string => path.join(bench.contest, `runs/${brief}/1`, file)
  // Ended between the seal and the checks, and between the participant and its seal.
  for (const [brief, change] of [
    ['one', { state: 'sealed' }],
    ['two', { state: 'ended' }],
  ] as const) {
    const status = statusOf(bench, brief)
    const { a } = status.participants
    status.participants.a = { ...a, ...change, outcome: { ...a.outcome, kind: change.state === 'ended' ? 'ran' : 'delivered' } }
    await writeFile(at(brief, 'status.json'), JSON.stringify(status))
    await rm(at(brief, 'rounds/1/sealed/a/checks.json'))
  }
  const suite = await readSuite(bench.contest)
  expect((await standingsOf(runsOf(suite))).map(({ state }) => state)).toEqual(['unfinished', 'unfinished'])
  const { summary } = await bench.run()
  expect(summary.ranking.map(({ name, passes }) => [name, passes?.hits])).toEqual([
    ['a', 2],
    ['b', 2],
  ])
  expect((await standingsOf(runsOf(suite))).map(({ state }) => state)).toEqual(['complete', 'complete'])
  // Nothing ran again.
  expect(['one', 'two'].map((brief) => statusOf(bench, brief).participants.a.attempt)).toEqual([1, 1])
})

test('suite refine starts one new round of each contest, also after a kill, and reports', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, writes, ['one', 'two'])
  await bench.run()
  const { contests } = await refineSuite(bench.contest, bench.suiteDeps, { participants: ['a'] })
  expect(contests.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(['one', 'two'].map((each) => statusOf(bench, each).round)).toEqual([2, 2])
  const rounds = path.join(bench.contest, 'runs/one/1/rounds/2')
  expect([existsSync(path.join(rounds, 'a/attempts/1')), existsSync(path.join(rounds, 'b/attempts/1'))]).toEqual([true, false])
  await writeFile(path.join(bench.contest, 'runs/refine.json'), JSON.stringify({ schemaVersion: 1, before: { 'one/1': 1, 'two/1': 2 } }))
  await refineSuite(bench.contest, bench.suiteDeps)
  expect(['one', 'two'].map((each) => statusOf(bench, each).round)).toEqual([2, 3])
  const unknown = await refineSuite(bench.contest, bench.suiteDeps, { participants: ['c'] })
  expect([unknown.exitCode, ...unknown.contests.map(({ state }) => state)]).toEqual([1, 'failed', 'failed'])
})

test('while a suite runs, other commands are refused, and cancel finds nobody when none runs', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, writes, ['one'])
  const busy = { code: 'BUSY' }
  const lock = await takeLock({
    file: await contestLock({ root: bench.contest }, bench.deps.paths),
    what: 'It',
    command: 'paddock suite run',
  })
  await expect(rejudgeSuite(bench.contest, bench.suiteDeps)).rejects.toMatchObject(busy)
  await expect(cleanSuite(bench.contest, bench.deps, { dryRun: false })).rejects.toMatchObject(busy)
  const options = { withLogs: false, format: 'tar', out: path.join(bench.root, 'x'), allowSecrets: false } as const
  await expect(archiveSuite(bench.contest, bench.deps, options)).rejects.toMatchObject(busy)
  lock[Symbol.dispose]()
  const deps = { paths: bench.deps.paths, signal: new AbortController().signal, asked: () => {} }
  expect(await cancelSuite(bench.contest, deps)).toEqual([])
  await mkdir(path.join(bench.root, 'empty'))
  await expect(cancelSuite(path.join(bench.root, 'empty'), deps)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
