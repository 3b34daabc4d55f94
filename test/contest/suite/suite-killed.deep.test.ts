import { spawn } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { ContestStatus } from '../../../src/contest/state/contest-state.ts'
import { isLab } from '../../support/cli.ts'
import { evenJudge } from '../../support/contest-bench.ts'
import { namesIn } from '../../support/sealed-files.ts'
import { openSuiteBench, type SuiteBench, shellRole, writeSuite } from '../../support/suite-bench.ts'

const briefs = ['one', 'two']
const fixture = path.join(import.meta.dirname, '../../fixtures/run-suite-step.ts')

test('suite run checks all submissions, wherever it is killed', async () => {
  const checks = [{ name: 'right', command: ['grep', '-q', '1', '/submission/answer.txt'] }]
  const shape = async (bench: SuiteBench) =>
    await writeSuite(bench, { a: 'echo 1 > answer.txt', b: 'echo 2 > answer.txt' }, ['one'], {}, { judges: [], checks, rubric: undefined })
  await using first = await openSuiteBench()
  await shape(first)
  const all = await steps(first, 'run')
  for (const last of spread(all, 10)) {
    await using bench = await openSuiteBench()
    await shape(bench)
    await steps(bench, 'run', last)
    await steps(bench, 'run')
    const { ranking } = JSON.parse(readFileSync(path.join(bench.contest, 'report/summary.json'), 'utf8'))
    expect([last, ranking.map((each: { name: string; passes: unknown }) => [each.name, each.passes])]).toMatchObject([
      last,
      [
        ['a', { hits: 1, of: 1 }],
        ['b', { hits: 0, of: 1 }],
      ],
    ])
  }
})

async function ranSuite(): Promise<SuiteBench> {
  const bench = await openSuiteBench()
  const judges = [shellRole('strict', evenJudge(3)), shellRole('kind', evenJudge(4))]
  await writeSuite(bench, { a: 'echo 1 >> answer.txt', b: 'echo 2 >> answer.txt' }, briefs, {}, { judges })
  await bench.run()
  return bench
}

/** Runs a command on the suite in another process. With `last`, it is killed before that step. Returns the number of its steps. */
async function steps(bench: SuiteBench, command: string, last = 0): Promise<number> {
  const child = spawn(process.execPath, [fixture, command, bench.contest, bench.root, String(last)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, signal] = await Promise.all([
    text(child.stdout),
    new Promise<string | null>((resolve) => child.once('exit', (_, by) => resolve(by))),
  ])
  expect([command, last, signal]).toEqual([command, last, last === 0 ? null : 'SIGKILL'])
  return Number(printed)
}

/** Returns numbers from 1 to `all`, spread over its whole range: this many in the lab, otherwise four. */
function spread(all: number, inLab: number): readonly number[] {
  const many = isLab ? inLab : 4
  return [...new Set(Array.from({ length: many }, (_, n) => 1 + Math.round((n * (all - 1)) / (many - 1))))]
}

const statusOf = (bench: SuiteBench, brief: string): ContestStatus =>
  JSON.parse(readFileSync(path.join(bench.contest, `runs/${brief}/1/status.json`), 'utf8'))

/** Returns the seals of a suite, each with a stamp of its archive. An archive without seal.json is not sealed yet. */
function sealsOf(bench: SuiteBench): ReadonlyMap<string, string> {
  return new Map(
    globSync('runs/*/1/rounds/*/sealed/*/seal.json', { cwd: bench.contest }).map((each) => {
      const { ino, mtimeMs, size } = statSync(path.join(bench.contest, path.dirname(each), 'out.tar'))
      return [each, `${ino} ${mtimeMs} ${size}`]
    }),
  )
}

/** Returns the numbers of the judgings of a contest in which a judge was asked. */
const askedIn = (bench: SuiteBench, brief: string): readonly string[] => [
  ...new Set(globSync('*/*/tasks/*', { cwd: path.join(bench.contest, `runs/${brief}/1/judging`) }).map((each) => each.split('/')[0] ?? '')),
]

test('suite rejudge judges each contest once, wherever it is killed', async () => {
  await using bench = await ranSuite()
  const all = await steps(bench, 'rejudge')
  for (const last of spread(all, 8)) {
    const before = briefs.map((brief) => ({ judging: statusOf(bench, brief).judging, asked: askedIn(bench, brief).length }))
    await steps(bench, 'rejudge', last)
    const scored = briefs.map((brief, n) => {
      const status = statusOf(bench, brief)
      return status.judging === before[n]?.judging ? [] : status.tasks.filter(({ state }) => state === 'scored')
    })
    // A second kill, while it continues.
    if (last < all / 2) await steps(bench, 'rejudge', 3)
    await steps(bench, 'rejudge')
    for (const [n, brief] of briefs.entries()) {
      const status = statusOf(bench, brief)
      expect([last, brief, status.tasks.map(({ state }) => state)]).toEqual([last, brief, ['scored', 'scored']])
      expect(status.tasks).toEqual(expect.arrayContaining(scored[n] ?? []))
      expect(askedIn(bench, brief)).toHaveLength((before[n]?.asked ?? 0) + 1)
    }
    expect(existsSync(path.join(bench.contest, 'runs/rejudge.json'))).toBe(false)
    const { judges } = JSON.parse(readFileSync(path.join(bench.contest, 'report/summary.json'), 'utf8'))
    expect(judges).toMatchObject([{ answered: 2 }, { answered: 2 }])
  }
})

test('suite refine starts one round of each contest and loses no seal, wherever it is killed', async () => {
  await using bench = await ranSuite()
  const all = await steps(bench, 'refine')
  let round = 2
  for (const last of spread(all, 6)) {
    round += 1
    await steps(bench, 'refine', last)
    const before = sealsOf(bench)
    await steps(bench, 'refine')
    const now = sealsOf(bench)
    expect([...before].filter(([file, stamp]) => now.get(file) !== stamp)).toEqual([])
    for (const brief of briefs) {
      const status = statusOf(bench, brief)
      expect([last, brief, status.round]).toEqual([last, brief, round])
      expect(Object.values(status.participants).map(({ state }) => state)).toEqual(['checked', 'checked'])
      expect(status.tasks.map(({ state }) => state)).toEqual(['scored', 'scored'])
      const sealed = globSync(`runs/${brief}/1/rounds/*/sealed/*/out.tar`, { cwd: bench.contest })
      expect(sealed).toHaveLength(2 * round)
    }
    expect(existsSync(path.join(bench.contest, 'runs/refine.json'))).toBe(false)
  }
})

test('suite archive writes a complete archive of each contest, wherever it is killed', async () => {
  await using bench = await ranSuite()
  const into = path.join(bench.root, 'archives')
  const all = await steps(bench, 'archive')
  const names = briefs.map((brief) => `${brief}-1.tar`)
  const whole = names.map((each) => namesIn(path.join(into, each)))
  expect(whole[0]?.length).toBeGreaterThan(5)
  for (const last of spread(all, 8)) {
    await rm(into, { recursive: true })
    await steps(bench, 'archive', last)
    const made = readdirSync(into).filter((each) => names.includes(each))
    const stamps = made.map((each) => statSync(path.join(into, each)).mtimeMs)
    await steps(bench, 'archive')
    expect(readdirSync(into).toSorted()).toEqual(names)
    expect(names.map((each) => namesIn(path.join(into, each)))).toEqual(whole)
    expect(made.map((each) => statSync(path.join(into, each)).mtimeMs)).toEqual(stamps)
  }
})
