import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../src/contest/config/contest-layout.ts'
import { judgeContest, runContest } from '../../src/contest/stages/run-contest.ts'
import { type Bench, evenJudge, openBench, writeContest } from '../support/contest-bench.ts'
import { killAt } from '../support/kill-contest.ts'
import { sealedFile } from '../support/sealed-files.ts'

const trap = 'mkdir -p .git/objects .git/refs sub/.vscode; echo "ref: refs/heads/main" > .git/HEAD; echo x > .envrc; echo 1 > a'
const moved = ['.envrc.quarantined', '.git.quarantined', 'a', 'sub']
const outOf = (bench: Bench, name: string, attempt = 1): string[] =>
  readdirSync(new Layout(bench.contest).attempt(1, name, attempt).out).toSorted()
const journalOf = (bench: Bench) => JSON.parse(readFileSync(new Layout(bench.contest).status, 'utf8'))

test.each([
  ['run', {}],
  ['run --fresh', { fresh: true }],
])('A3: leftovers of an attempt whose Paddock was killed are quarantined by the next %s', async (_, options) => {
  await using bench = await openBench()
  await writeContest(bench, { one: `${trap}; echo begun; while [ ! -e /contest/raw/go ]; do sleep 0.05; done` }, { judge: evenJudge(3) })
  await bench.write('raw/README', 'x')
  await killAt(bench, (event) => event.type === 'agent')
  expect(outOf(bench, 'one')).toContain('.git')
  await bench.write('raw/go', '')
  await runContest(bench.contest, bench.deps, options)
  expect(outOf(bench, 'one')).toEqual(moved)
  expect(existsSync(path.join(new Layout(bench.contest).attempt(1, 'one', 1).out, '.git.quarantined/HEAD'))).toBe(false)
})

test('A3: a seal has what the participant left, and is not made anew from what was quarantined', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: `${trap}; echo kept > .git/file` }, { judge: evenJudge(3) })
  await runContest(bench.contest, bench.deps)
  const layout = new Layout(bench.contest)
  expect(outOf(bench, 'one')).toEqual(moved)
  expect(sealedFile(bench.contest, 'one', '.git/file')).toBe('kept\n')
  const seal = readFileSync(layout.sealed(1, 'one').seal, 'utf8')
  // The states after a kill between the quarantine and the journal, and in the middle of the quarantine.
  for (const whole of [true, false]) {
    if (!whole) rmSync(layout.attempt(1, 'one', 1).quarantined)
    const status = journalOf(bench)
    const { one } = status.participants
    status.participants.one = { ...one, state: 'ended', outcome: { ...one.outcome, kind: 'ran' } }
    writeFileSync(layout.status, JSON.stringify(status))
    await runContest(bench.contest, bench.deps)
    expect(readFileSync(layout.sealed(1, 'one').seal, 'utf8')).toBe(seal)
    expect(journalOf(bench).participants.one).toMatchObject({ state: 'checked', outcome: { kind: 'delivered' } })
  }
})

test('A3: a directory that cannot be searched to its end is removed, and its submission stays', async () => {
  await using bench = await openBench()
  const deep = 'd=x; for n in $(seq 199); do d=$d/x; done; mkdir -p $d/.git; echo 1 > a'
  await writeContest(bench, { one: deep }, { judge: evenJudge(3) })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map((each) => each.name)).toEqual(['one'])
  expect(existsSync(new Layout(bench.contest).attempt(1, 'one', 1).out)).toBe(false)
  expect(bench.events.flatMap((each) => (each.type === 'warning' ? [each.message] : []))).toEqual([
    'rounds/1/one/attempts/1/out could not be searched completely for files that your tools would run, and was removed',
  ])
})

test('a contest behind a link is settled, too', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: trap }, { judge: evenJudge(3) })
  symlinkSync(bench.contest, path.join(bench.root, 'link'))
  await runContest(path.join(bench.root, 'link'), bench.deps)
  expect(outOf(bench, 'one')).toEqual(moved)
})

test("the judges' view is one copy below the state directory, and is removed after a kill, a stop and the end", async () => {
  const stop = new AbortController()
  await using bench = await openBench()
  const waits = `cp -r /contest/submissions /tmp/; while [ ! -e /contest/raw/go ]; do sleep 0.05; done; ${evenJudge(3)}`
  await writeContest(bench, { one: `head -c 100000 /dev/zero > mark-of-one` }, { j: waits, k: waits, l: waits })
  await bench.write('raw/README', 'x')
  const copies = (): string[] =>
    readdirSync(bench.root, { recursive: true })
      .map(String)
      .filter((each) => each.endsWith('mark-of-one'))
      .toSorted()
  await killAt(bench, (event) => event.type === 'started' && event.role === 'judge' && event.name === 'l')
  const attempt = 'contest/rounds/1/one/attempts/1/out/mark-of-one'
  const laidOut = expect.stringMatching(/^state\/scratch\/contest-[0-9a-f]+\/judging\/[0-9a-f]{16}\/mark-of-one$/)
  expect(copies()).toEqual([attempt, laidOut])
  const progress: Bench['deps']['progress'] = (event) => {
    if (event.type === 'started' && event.name === 'l') stop.abort()
  }
  await expect(runContest(bench.contest, { ...bench.deps, progress, signal: stop.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(copies()).toEqual([attempt])
  await bench.write('raw/go', '')
  expect((await judgeContest(bench.contest, bench.deps)).tasks.map((each) => each.state)).toEqual(['scored', 'scored', 'scored'])
  expect(copies()).toEqual([attempt])
  mkdirSync(path.join(bench.root, 'state/scratch'), { recursive: true })
  expect(readdirSync(path.join(bench.root, 'state/scratch'))).toEqual([])
})
