import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { gateOf } from '../../../../src/contest/suite/compare/compare-gates.ts'
import { type CompareOptions, compareSuites, planComparison } from '../../../../src/contest/suite/compare/compare-suites.ts'
import type { Comparison } from '../../../../src/contest/suite/compare/comparison-schema.ts'
import { openSuiteBench, type SuiteBench, shellRole, writeSuite } from '../../../support/suite-bench.ts'

const options: CompareOptions = { only: [], participants: [], gates: [], surely: false, asJudged: false, retry: false }

/** A judge that gives a point for each character, up to five, and says so. */
const counting = [
  'cd /contest/submissions',
  'scores= reviews= comma=',
  'for each in *; do n=$(cat $each/answer.txt | tr -d "\\n" | wc -c)',
  'scores="$scores$comma\\"$each\\":{\\"quality\\":$n}"; reviews="$reviews$comma\\"$each\\":\\"It has $n characters.\\""; comma=,; done',
  'echo "{\\"scores\\":{$scores},\\"reviews\\":{$reviews}}" > /contest/outbox/scores.json',
  'ls /contest/submissions | tr "\\n" " " >> /contest/outbox/review.md',
].join('\n')
const judged = { judges: [shellRole('judge', counting)] }
const briefs = ['one', 'two', 'three', 'four']
const good = 'echo abcde > answer.txt'
/** Writes fewer characters than `good`, in a number that depends on the brief. */
const bad = 'if grep -q two /contest/BRIEF.md; then echo a; else echo ab; fi > answer.txt'

/** Runs a suite, keeps a copy of it as the base, changes it, and runs it again. */
async function twoRuns(
  bench: SuiteBench,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
  ofContest: Readonly<Record<string, unknown>> = judged,
): Promise<string> {
  const base = path.join(bench.root, 'base')
  await writeSuite(bench, before, briefs, more, ofContest)
  await bench.run()
  await cp(bench.contest, base, { recursive: true })
  await writeSuite(bench, after, briefs, more, ofContest)
  await bench.run({ fresh: true })
  return base
}

const measure = ({ participants }: Comparison, participant: string, name: string) =>
  participants.find((each) => each.new.name === participant)?.measures.find((each) => each.name === name)

test('a loss is found by judges that see both works blind in one task, once', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good, b: good }, { a: good, b: bad })
  const gates = [gateOf('worse by 3')]
  expect((await planComparison([base, bench.contest], { ...options, gates })).judged).toEqual({ contests: 4, open: 4, judges: 4 })
  const { comparison, files } = await compareSuites([base, bench.contest], bench.suiteDeps, { ...options, gates })
  expect(comparison).toMatchObject({ decides: 'score', isFailed: true, base, new: bench.contest, leftOut: [] })
  // Five characters are 100 points, two are 25, and one is 0.
  expect(measure(comparison, 'b', 'score')).toMatchObject({
    basis: 'side-by-side',
    base: 100,
    new: 18.75,
    difference: -81.25,
    verdict: 'worse',
  })
  expect(measure(comparison, 'a', 'score')).toMatchObject({ difference: 0, verdict: 'not-seen' })
  expect(comparison.sentences[0]).toMatch(/^b is worse by 81\.3 points with 4 briefs/)
  expect(comparison.gates.map(({ participant, measure: of, state }) => [participant, of, state])).toEqual([
    ['b', 'score', 'failed'],
    ['a', 'infrastructure', 'passed'],
    ['b', 'infrastructure', 'passed'],
    ['a', 'score', 'passed'],
  ])
  const [worst] = comparison.briefs
  expect(worst).toMatchObject({ brief: 'two', participant: 'b', difference: -100, base: { score: 100 }, new: { score: 0 } })
  expect(worst?.reasons).toEqual([{ judge: 'judge', base: 'It has 5 characters.', new: 'It has 1 characters.' }])

  const contest = path.join(bench.contest, worst?.contests[0] ?? '')
  const [review = ''] = globSync('judging/1/judge/tasks/*/review.md', { cwd: contest })
  const labels = readFileSync(path.join(contest, review), 'utf8').trim().split(' ')
  expect(labels.length).toBe(2)
  expect(labels.some((each) => /base|new|[ab]$/.test(each))).toBe(false)
  expect(existsSync(path.join(contest, 'report/report.html'))).toBe(true)
  for (const file of Object.values(files)) expect(readFileSync(file, 'utf8').length).toBeGreaterThan(100)

  const attempts = (): string[] => globSync('comparisons/contests/*/*/judging/*/*/tasks/*/attempts/*', { cwd: bench.contest }).toSorted()
  const before = attempts()
  bench.suiteEvents.length = 0
  const again = await compareSuites([base, bench.contest], bench.suiteDeps, { ...options, gates })
  expect(again.comparison.briefs).toEqual(comparison.briefs)
  expect(bench.suiteEvents).toEqual([])
  expect(attempts()).toEqual(before)
  expect((await planComparison([base, bench.contest], options)).judged).toEqual({ contests: 4, open: 0, judges: 0 })

  // The earlier round of the same suite is the same run.
  const rounds = await compareSuites([`${bench.contest}@1`, bench.contest], bench.suiteDeps, { ...options, gates })
  expect(rounds.comparison.briefs).toEqual(comparison.briefs)
  expect(bench.suiteEvents).toEqual([])
  const { root } = bench
  const relative = path.relative(process.cwd(), bench.contest)
  const { files: named, comparison: same } = await compareSuites([`${relative}/.@1`, `${relative}/.`], bench.suiteDeps, options)
  expect([same.base, same.new, path.relative(root, named.html)]).toEqual([
    `${bench.contest}@1`,
    bench.contest,
    'contest/comparisons/reports/contest-round-1/comparison.html',
  ])
  await expect(compareSuites([`${bench.contest}@3`, bench.contest], bench.suiteDeps, options)).rejects.toThrow('there is no round 3')
})

test('junit.xml is read by a parser that was not written here', async ({ skip }) => {
  skip(!existsSync('/usr/lib/python3/dist-packages/junitparser'), 'not installed: python3-junitparser')
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: bad }, { name: 'trial' })
  const { files } = await compareSuites([base, bench.contest], bench.suiteDeps, {
    ...options,
    gates: [gateOf('worse by 3'), gateOf('cost worse by 1%')],
  })
  const script = `import json, sys; from junitparser import JUnitXml
found = JUnitXml.fromfile(sys.argv[1])
cases = [[case.classname, case.name, [type(each).__name__ for each in case.result]] for suite in found for case in suite]
print(json.dumps([found.tests, found.failures, found.errors, cases]))`
  const read = spawnSync('/usr/bin/python3', ['-c', script, files.junit], { encoding: 'utf8' })
  expect(read.stderr).toBe('')
  expect(JSON.parse(read.stdout)).toEqual([
    3,
    1,
    1,
    [
      ['trial.a', 'worse by 3', ['Failure']],
      ['trial.a', 'cost worse by 1%', ['Error']],
      ['trial.a', 'at most 20% of attempts fail, and of pairs are not judged, for reasons other than the work', []],
    ],
  ])
})

test('a participant that stops delivering through its own fault loses all points, and judges see only the other work', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: 'true' })
  const { comparison } = await compareSuites([base, bench.contest], bench.suiteDeps, options)
  expect(measure(comparison, 'a', 'score')).toMatchObject({ base: 100, new: 0, difference: -100, verdict: 'worse' })
  expect(measure(comparison, 'a', 'delivered')).toMatchObject({ base: 100, new: 0 })
  expect(comparison.briefs[0]?.new).toMatchObject({ delivered: 0, attempts: 1, outcomes: ['incomplete'] })
  expect(comparison.isFailed).toBe(false)
})

test('attempts that failed for other reasons do not count as a loss, and too many of them fail the gate', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: good })
  const file = path.join(bench.contest, 'runs/two/1/status.json')
  const status = JSON.parse(readFileSync(file, 'utf8'))
  Object.assign(status.participants.a, { state: 'ended', outcome: { ...status.participants.a.outcome, kind: 'rate-limited' } })
  await writeFile(file, JSON.stringify(status))
  const { comparison } = await compareSuites([base, bench.contest], bench.suiteDeps, { ...options, gates: [gateOf('worse by 3')] })
  expect(comparison).toMatchObject({ isFailed: true, participants: [{ isComparable: false, new: { attempts: 4, failed: 1 } }] })
  expect(comparison.gates.map(({ measure: of, state }) => [of, state])).toEqual([
    ['infrastructure', 'failed'],
    ['score', 'untested'],
  ])
  expect(comparison.sentences[0]).toBe(
    'a is not compared: 0 of 4 attempts in the base and 1 of 4 in the new run failed for reasons other than its work.',
  )
})

test('briefs and checks that differ between the runs are not compared', async () => {
  await using bench = await openSuiteBench()
  const checks = { judges: [], ranking: 'checks', checks: [{ name: 'long', command: 'test $(wc -c < answer.txt) -ge 4' }] }
  const base = await twoRuns(bench, { a: good }, { a: bad }, {}, checks)
  const same = await compareSuites([base, bench.contest], bench.suiteDeps, options)
  expect(measure(same.comparison, 'a', 'checks')).toMatchObject({ base: 100, new: 0, briefs: 4, basis: 'as-measured' })
  expect(same.comparison.decides).toBe('checks')
  expect(measure(same.comparison, 'a', 'score')).toBeUndefined()
  expect(bench.suiteEvents.some(({ type }) => type === 'suite')).toBe(true)

  await writeFile(path.join(base, 'runs/one/1/BRIEF.md'), 'Another task.\n')
  const file = path.join(base, 'runs/two/1/contest.yaml')
  await writeFile(file, readFileSync(file, 'utf8').replace('-ge 4', '-ge 1'))
  const { comparison } = await compareSuites([base, bench.contest], bench.suiteDeps, options)
  expect(comparison.leftOut).toEqual([{ brief: 'one', why: 'BRIEF.md differs between the runs' }])
  expect(comparison.notes).toEqual(['The checks of two differ between the runs, so their results are not compared.'])
  expect(measure(comparison, 'a', 'checks')).toMatchObject({ briefs: 2 })
  expect(measure(comparison, 'a', 'delivered')).toMatchObject({ briefs: 3 })
})

test('what a run did not run, or left as damaged files, counts as failed and does not pass a gate', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: good })
  const gates = [gateOf('delivered worse by 3')]
  const seal = path.join(base, 'runs/two/1/rounds/1/sealed/a/seal.json')
  await writeFile(seal, '{"schemaVersion":')
  const damaged = await compareSuites([base, bench.contest], bench.suiteDeps, { ...options, gates })
  expect(damaged.comparison).toMatchObject({ isFailed: true, participants: [{ isComparable: false, base: { attempts: 4, failed: 1 } }] })
  await rm(path.join(base, 'runs/two'), { recursive: true })
  expect((await compareSuites([base, bench.contest], bench.suiteDeps, { ...options, gates })).comparison).toMatchObject({
    isFailed: true,
    leftOut: [],
    participants: [{ base: { attempts: 4, failed: 1 }, new: { failed: 0 } }],
  })
  execFileSync('mkfifo', [path.join(base, 'runs/one/1/status.fifo')])
  await rename(path.join(base, 'runs/one/1/status.fifo'), path.join(base, 'runs/one/1/status.json'))
  await expect(compareSuites([base, bench.contest], bench.suiteDeps, options)).rejects.toThrow('is not a status that this Paddock can read')
})

test('an archive that is larger than its seal says is not copied', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: bad })
  await truncate(path.join(base, 'runs/two/1/rounds/1/sealed/a/out.tar'), 2 ** 40)
  const { comparison } = await compareSuites([base, bench.contest], bench.suiteDeps, { ...options, gates: [gateOf('worse by 3')] })
  expect(comparison.notes[0]).toContain('two/1 a could not be judged: ')
  expect(comparison).toMatchObject({ isFailed: true, sentences: ['a is not compared: 1 of 4 pairs of its works were not judged.'] })
})

test('scores of the old judgings are marked, ask no judge and never gate', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: bad })
  bench.suiteEvents.length = 0
  const { comparison } = await compareSuites([base, bench.contest], bench.suiteDeps, {
    ...options,
    asJudged: true,
    gates: [gateOf('worse by 3')],
  })
  expect(bench.suiteEvents).toEqual([])
  expect(measure(comparison, 'a', 'score')).toMatchObject({ basis: 'as-judged', difference: -81.25, verdict: 'worse' })
  expect(comparison).toMatchObject({ isFailed: true, gates: [{ state: 'untested' }, { state: 'passed', measure: 'infrastructure' }] })
})

test('participants with other names are compared if they are named', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { before: good, same: good }, { after: bad, same: good })
  const seen = await compareSuites([base, bench.contest], bench.suiteDeps, options)
  expect(seen.comparison.notes).toContain('Only one of the runs has before, after.')
  expect(seen.comparison.participants.map(({ new: { name } }) => name)).toEqual(['same'])
  const named = await compareSuites([base, bench.contest], bench.suiteDeps, { ...options, participants: ['before=after'] })
  expect(named.comparison.sentences[0]).toMatch(/^after \(before: before\) is worse by 81\.3 points/)
  const unknown = compareSuites([base, bench.contest], bench.suiteDeps, { ...options, participants: ['before=nobody'] })
  await expect(unknown).rejects.toThrow('--participants nobody: the new run has no such participant.')
})

test('a comparison that was killed continues, and a contest that was half made is made again', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: bad })
  const stop = new AbortController()
  const deps = {
    ...bench.suiteDeps,
    signal: stop.signal,
    progress: (event: (typeof bench.suiteEvents)[number]) => {
      bench.suiteEvents.push(event)
      if (event.type === 'run-ended') stop.abort()
    },
  }
  const one = compareSuites([base, bench.contest], deps, { ...options, parallel: 1 })
  await expect(one).rejects.toMatchObject({ code: 'CANCELLED' })
  const { judged: plan } = await planComparison([base, bench.contest], options)
  expect(plan.open).toBeGreaterThan(0)
  expect(plan.open).toBeLessThan(4)
  // Killed after the copies of one contest, before its status.
  const [half = ''] = globSync('comparisons/contests/*/*', { cwd: bench.contest }).map((each) => path.join(bench.contest, each))
  await rm(path.join(half, 'status.json'), { force: true })
  await writeFile(path.join(half, 'rounds/1/sealed/new/out.tar'), 'half')
  const { comparison } = await compareSuites([base, bench.contest], bench.suiteDeps, options)
  expect(measure(comparison, 'a', 'score')).toMatchObject({ difference: -81.25, briefs: 4 })
})

test('judges work at the level of the suite, and participants at different levels are noted', async () => {
  await using bench = await openSuiteBench()
  const base = await twoRuns(bench, { a: good }, { a: bad }, {}, { ...judged, posture: 'L2' })
  expect((await compareSuites([base, bench.contest], bench.suiteDeps, options)).comparison.notes.join()).not.toContain('equals')
  const contests = globSync('comparisons/contests/*/*/contest.yaml', { cwd: bench.contest })
  expect(contests.length).toBe(4)
  for (const each of contests) expect(readFileSync(path.join(bench.contest, each), 'utf8')).toContain('posture: L2')
  for (const each of globSync('runs/*/1/rounds/1/sealed/a/seal.json', { cwd: base })) {
    const file = path.join(base, each)
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/"posture": ?"L2"/)
    await writeFile(file, text.replace(/"posture": ?"L2"/, '"posture": "L1"'))
  }
  const { comparison } = await compareSuites([base, bench.contest], bench.suiteDeps, options)
  expect(comparison.notes).toContain('a worked at L1 and a at L2, so this is not a comparison of equals.')
})
