import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseContest } from '../../../src/contest/config/brief.ts'
import { lintContest } from '../../../src/contest/lint/lint.ts'
import { reportContest } from '../../../src/contest/report/report-contest.ts'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { reportSuite } from '../../../src/contest/suite/report/report-suite.ts'
import { type Bench, openBench, writeContest } from '../../support/contest-bench.ts'
import { openSuiteBench, writeSuite } from '../../support/suite-bench.ts'

type StartCell = Bench['deps']['startCell']

/** Returns a start of real cells that fails with `error` for those whose name `fails` accepts. */
function failing(start: StartCell, fails: (cell: string) => boolean, error: () => Error = () => new Error('it cannot start')): StartCell {
  return (spec, ...rest) => (fails(spec.name) ? Promise.reject(error()) : start(spec, ...rest))
}

const twoChecks = {
  judges: [],
  checks: [
    { name: 'a', command: 'true' },
    { name: 'b', command: 'grep -q right answer' },
  ],
}
const two = { cheat: 'echo right > answer', honest: 'echo right > answer' }

const resultsOf = ({ summary }: Awaited<ReturnType<typeof runContest>>): unknown =>
  Object.fromEntries(summary.ranking.map(({ name, score, checks }) => [name, [score, ...checks.results.map(({ result }) => result)]]))

describe('a check that could not run', () => {
  test('has failed for a submission if it ran for another one', async () => {
    await using bench = await openBench()
    await writeContest(bench, two, {}, twoChecks)
    const startCell = failing(bench.deps.startCell, (cell) => cell === 'check b of cheat')
    const ended = await runContest(bench.contest, { ...bench.deps, startCell })
    expect(resultsOf(ended)).toEqual({ honest: [100, 'passed', 'passed'], cheat: [50, 'passed', 'failed'] })
    expect(bench.events).toContainEqual(
      expect.objectContaining({
        type: 'checked',
        name: 'cheat',
        check: 'b',
        result: 'failed',
        why: 'it could not run on this submission: it cannot start',
      }),
    )
  })

  test('is tried once more, after the others', async () => {
    await using bench = await openBench()
    await writeContest(bench, two, {}, twoChecks)
    const started: string[] = []
    const startCell = failing(
      bench.deps.startCell,
      (cell) =>
        started.push(cell) > 0 && started.filter((each) => each === 'check a of honest').length === 1 && cell === 'check a of honest',
    )
    expect(resultsOf(await runContest(bench.contest, { ...bench.deps, startCell }))).toEqual({
      cheat: [100, 'passed', 'passed'],
      honest: [100, 'passed', 'passed'],
    })
    expect(started.at(-1)).toBe('check a of honest')
  })

  test.each([
    ['an empty submission', {}],
    ['the oracle', { oracle: 'right' }],
  ])('for any submission has failed for all if it runs on %s', async (reference, more) => {
    await using bench = await openBench()
    await writeContest(bench, two, {}, { ...twoChecks, ...more })
    await bench.write('right/answer', 'right\n')
    const startCell = failing(bench.deps.startCell, (cell) => cell.startsWith('check b of ') && cell !== `check b of ${reference}`)
    const ended = await runContest(bench.contest, { ...bench.deps, startCell })
    expect(resultsOf(ended)).toEqual({ honest: [50, 'passed', 'failed'], cheat: [50, 'passed', 'failed'] })
  })

  test('for anybody does not count', async () => {
    await using bench = await openBench()
    await writeContest(bench, two, {}, twoChecks)
    const startCell = failing(bench.deps.startCell, (cell) => cell.startsWith('check b of '))
    const ended = await runContest(bench.contest, { ...bench.deps, startCell })
    expect(resultsOf(ended)).toEqual({ honest: [100, 'passed', 'could-not-run'], cheat: [100, 'passed', 'could-not-run'] })
    expect(ended.summary.notes).toContain('Check b could not be run and does not count: it cannot start.')
  })

  test.each(['exit 127', 'exit 126'])('a lone submission does not disable a check with %s', async (line) => {
    await using bench = await openBench()
    await writeContest(bench, { only: `echo '${line}' > program` }, {}, { judges: [], checks: [{ name: 'a', command: 'sh ./program' }] })
    await bench.write('right/program', 'exit 0\n')
    const config = JSON.parse(readFileSync(path.join(bench.contest, 'contest.yaml'), 'utf8')) as object
    writeFileSync(path.join(bench.contest, 'contest.yaml'), JSON.stringify({ ...config, oracle: 'right' }))
    expect(resultsOf(await runContest(bench.contest, bench.deps))).toEqual({ only: [0, 'failed'] })
  })

  test.each(['ENOSPC', 'EDQUOT', 'ENOMEM', 'EAGAIN', 'EMFILE', 'text of bwrap'])(
    'because of the host (%s) stays open, and the contest says so',
    async (code) => {
      await using bench = await openBench()
      await writeContest(bench, two, {}, twoChecks)
      const lack = (): Error =>
        code === 'text of bwrap'
          ? new Error("bwrap: Can't mkdir /x: No space left on device")
          : new Error('outer', { cause: Object.assign(new Error('inner'), { code }) })
      const startCell = failing(bench.deps.startCell, (cell) => cell === 'check b of cheat', lack)
      await expect(runContest(bench.contest, { ...bench.deps, startCell })).rejects.toMatchObject({
        code: 'CELL_FAILED',
        message: expect.stringContaining('check b of cheat could not run: ') as string,
        hint: 'Make room for it (disk, memory, processes), and run the same command again',
      })
      const status = JSON.parse(readFileSync(path.join(bench.contest, 'status.json'), 'utf8')) as {
        participants: Record<string, { state: string }>
      }
      expect([status.participants['cheat']?.state, status.participants['honest']?.state]).toEqual(['sealed', 'checked'])
      expect(resultsOf(await runContest(bench.contest, bench.deps))).toEqual({
        cheat: [100, 'passed', 'passed'],
        honest: [100, 'passed', 'passed'],
      })
    },
  )

  test('in a round that an earlier version checked keeps its result', async () => {
    await using bench = await openBench()
    await writeContest(bench, two, {}, twoChecks)
    await runContest(bench.contest, bench.deps)
    change(bench.contest, 'cheat', (work) => {
      const [a, b] = work.checks
      return { schemaVersion: 1, tree: work.tree, checks: [a, { ...b, result: 'could-not-run', why: 'x' }] }
    })
    expect(resultsOf(await reportContest(bench.contest, () => new Date()))).toEqual({
      cheat: [100, 'passed', 'could-not-run'],
      honest: [100, 'passed', 'passed'],
    })
  })
})

describe('a submission cannot keep a check from starting', () => {
  const workspace = { directories: ['/app', '/data/in'], cwd: '/app/deep/src' }
  const places = ['/app', '/app/deep', '/app/deep/src', '/data', '/data/in']

  test('by a file in the place of a directory of the workspace', async () => {
    await using bench = await openBench()
    const participants = {
      honest: 'echo x > y',
      ...Object.fromEntries(
        ['/app/deep', '/app/deep/src'].map((each, index) => [`cheat${index}`, `cd /; rm -r ${each}; echo x > ${each}`]),
      ),
    }
    await writeContest(
      bench,
      participants,
      {},
      {
        judges: [],
        workspace,
        checks: [
          { name: 'a', command: 'false' },
          { name: 'b', command: 'true' },
        ],
      },
    )
    const ended = await runContest(bench.contest, bench.deps)
    expect(Object.values(resultsOf(ended) as object)).toEqual(Array.from({ length: 3 }, () => [50, 'failed', 'passed']))
    // The check itself ran.
    expect(ended.summary.ranking.flatMap(({ checks }) => checks.results.map(({ why }) => why))).toEqual(
      Array.from({ length: 3 }, () => ['exit code 1', null]).flat(),
    )
  })

  test.each(
    ['filesAt', 'rewardAt'].flatMap((key) =>
      ['/submission', '/submission/tests', '/result', '/result/x/y', ...places, '/app/x'].map((at) => [key, at] as const),
    ),
  )('by a mount point in its own files: %s: %s is refused', (key, at) => {
    const text = JSON.stringify({
      schemaVersion: 1,
      name: 'x',
      participants: [{ name: 'a', agent: 'command', command: ['x'] }],
      workspace,
      checks: [{ name: 'c', command: 'true', files: 'f', [key]: at }],
    })
    expect(() => parseContest(text)).toThrow(new RegExp(`checks\\[0\\]\\.${key} overlaps /.*, whose files a submission decides`))
  })
})

test('lint --try reports a lack of the host as such', async () => {
  await using bench = await openBench()
  await writeContest(bench, two, {}, twoChecks)
  const full = (): Error => Object.assign(new Error('full'), { code: 'ENOSPC' })
  const startCell = failing(bench.deps.startCell, () => true, full)
  await expect(lintContest(bench.contest, { ...bench.deps, startCell }, { try: true })).rejects.toMatchObject({ code: 'CELL_FAILED' })
})

test('a brief of a suite that measured others counts 0 for a participant that it did not measure', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(
    bench,
    { cheat: 'echo right > answer', honest: 'echo right > answer' },
    ['one', 'two'],
    {},
    { judges: [], checks: twoChecks.checks },
  )
  await bench.run()
  change(path.join(bench.contest, 'runs/one/1'), 'cheat', (work) => ({
    schemaVersion: 1,
    tree: work.tree,
    checks: work.checks.map((each) => ({ ...each, result: 'could-not-run', why: 'x' })),
  }))
  const scores = async (): Promise<unknown> =>
    (await reportSuite(bench.contest, new Date())).summary.ranking.map(({ name, score }) => [name, score])
  expect(await scores()).toEqual([
    ['honest', 100],
    ['cheat', 50],
  ])
  // A brief that measured nobody is left out.
  change(path.join(bench.contest, 'runs/one/1'), 'honest', (work) => ({
    schemaVersion: 1,
    tree: work.tree,
    checks: work.checks.map((each) => ({ ...each, result: 'could-not-run', why: 'x' })),
  }))
  expect(new Map((await scores()) as [string, number][])).toEqual(
    new Map([
      ['honest', 100],
      ['cheat', 100],
    ]),
  )
})

/** Rewrites the recorded results of a participant in the first round. */
function change(contest: string, name: string, to: (work: { readonly tree: string; readonly checks: object[] }) => object): void {
  const file = path.join(contest, 'rounds/1/sealed', name, 'checks.json')
  writeFileSync(file, JSON.stringify(to(JSON.parse(readFileSync(file, 'utf8')) as { tree: string; checks: object[] })))
}
