import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { asksHash, contestAsks } from '../../../src/contest/config/asked-rights.ts'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { scratchOf } from '../../../src/contest/state/scene.ts'
import { readSuite } from '../../../src/contest/suite/config/read-suite.ts'
import { suitePlan } from '../../../src/contest/suite/plan-suite.ts'
import { reportSuite } from '../../../src/contest/suite/report/report-suite.ts'
import { suiteSummarySchema } from '../../../src/contest/suite/report/suite-summary.ts'
import { runsOf, standingsOf } from '../../../src/contest/suite/runs.ts'
import { evenJudge } from '../../support/contest-bench.ts'
import { openSuiteBench, type SuiteBench, shellRole, writeSuite } from '../../support/suite-bench.ts'

const checks = [{ name: 'right', run: 'cp answer.txt /result/', verify: 'grep -qx 7 /result/answer.txt' }]

async function statesOf(bench: SuiteBench): Promise<Record<string, string>> {
  const standings = await standingsOf(runsOf(await readSuite(bench.contest)))
  return Object.fromEntries(standings.map(({ run, state }) => [`${run.brief.name}/${run.repeat}`, state]))
}

test('a suite runs each brief as often as it says and ranks over all; the parts are ordinary contests', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(
    bench,
    { right: 'cp /contest/raw/n answer.txt', wrong: 'echo 0 > answer.txt', never: 'exec no-such-program' },
    ['one', 'two', 'three'],
    { repeats: 2 },
    { judges: [], checks },
  )
  for (const each of ['one', 'two', 'three']) await bench.write(`briefs/${each}/raw/n`, '7\n')
  await bench.write('briefs/two/brief.yaml', 'schemaVersion: 1\ntags: [shell, easy]\n')
  const { summary, exitCode } = await bench.run()
  expect(exitCode).toBe(0)
  expect(summary.rankedBy).toBe('checks')
  const facts = Object.fromEntries(summary.ranking.map((each) => [each.name, each]))
  expect([facts['right']?.score, facts['wrong']?.score, facts['never']?.score]).toEqual([100, 0, null])
  expect(facts['right']?.passes).toMatchObject({ hits: 6, of: 6, share: 1 })
  expect(facts['right']?.passes?.chances.map(({ k, any, all }) => [k, any, all])).toEqual([
    [1, 1, 1],
    [2, 1, 1],
  ])
  expect(facts['wrong']).toMatchObject({ completion: { hits: 6, of: 6 }, passes: { hits: 0, of: 6 } })
  expect(facts['never']).toMatchObject({ completion: { of: 0 }, failedToRun: 6, notRun: 0 })
  expect(summary.briefs.map(({ name, tags }) => [name, tags])).toEqual([
    ['one', []],
    ['three', []],
    ['two', ['shell', 'easy']],
  ])
  expect(summary.verdict).toMatchObject({ leader: 'right', clusters: { by: 'briefs', count: 3 } })
  expect(suiteSummarySchema.parse(JSON.parse(await readFile(path.join(bench.contest, 'report/summary.json'), 'utf8')))).toEqual(summary)
  const page = await readFile(path.join(bench.contest, 'report/report.html'), 'utf8')
  expect(page).toContain('../runs/one/1/report/report.html')
  expect(existsSync(path.join(bench.contest, 'runs/one/1/report/report.html'))).toBe(true)
  // Each run is an ordinary contest, which can be continued separately.
  const alone = await runContest(path.join(bench.contest, 'runs/two/2'), bench.deps)
  expect(alone.summary.ranking.map(({ name }) => name)).toEqual(['right', 'wrong'])
  expect((await reportSuite(bench.contest, new Date())).summary.ranking).toEqual(summary.ranking)
})

test('a stopped run continues, and a complete one is not repeated', async () => {
  const cancel = new AbortController()
  await using bench = await openSuiteBench({ signal: cancel.signal })
  await writeSuite(bench, { a: 'echo x >> /tmp/x; echo 1 > answer.txt' }, ['one', 'two', 'three'], { parallel: 1 })
  const stop = new Promise<void>((resolve) => {
    const { suiteEvents } = bench
    const push = suiteEvents.push.bind(suiteEvents)
    suiteEvents.push = (...events) => {
      if (events.some(({ type }) => type === 'run-ended')) {
        cancel.abort()
        resolve()
      }
      return push(...events)
    }
  })
  await expect(bench.run()).rejects.toMatchObject({ code: 'CANCELLED' })
  await stop
  expect(await statesOf(bench)).toEqual({ 'one/1': 'complete', 'three/1': 'not-run', 'two/1': 'not-run' })
  const again = { ...bench.suiteDeps, signal: new AbortController().signal }
  const { runSuite } = await import('../../../src/contest/suite/run-suite.ts')
  const { summary } = await runSuite(bench.contest, again)
  expect(new Set(Object.values(await statesOf(bench)))).toEqual(new Set(['complete']))
  expect(bench.suiteEvents.filter(({ type }) => type === 'run-started')).toHaveLength(3)
  expect(summary.ranking[0]?.completion).toMatchObject({ hits: 3, of: 3 })
})

test('a contest that was killed between its last score and its report gets one, and its temporary files are removed', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'echo 1 > answer.txt' }, ['one', 'two'], { budget: { tokens: 1 } })
  await bench.run()
  const one = path.join(bench.contest, 'runs/one/1')
  const linked = (): boolean[] => {
    const page = readFileSync(path.join(bench.contest, 'report/report.html'), 'utf8')
    return ['one', 'two'].map((each) => page.includes(`runs/${each}/1/report`))
  }
  const leftover = path.join(scratchOf(bench.deps, one), 'judging')
  await rm(path.join(one, 'report'), { recursive: true })
  await reportSuite(bench.contest, new Date())
  expect(linked()).toEqual([false, true])
  await mkdir(leftover, { recursive: true })
  const { summary } = await bench.run()
  expect(summary.briefs.map(({ runs }) => runs[0]?.hasReport)).toEqual([true, true])
  expect(linked()).toEqual([true, true])
  expect([existsSync(path.join(one, 'report/report.html')), existsSync(leftover)]).toEqual([true, false])
  // Nothing was run again.
  expect(existsSync(path.join(one, 'rounds/1/a/attempts/2'))).toBe(false)
  // A kill after the report leaves only temporary files.
  await mkdir(leftover, { recursive: true })
  await bench.run()
  expect(existsSync(leftover)).toBe(false)
})

test('a report that is older than the results of its contest is written again', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'echo 1 > answer.txt' }, ['one'])
  await bench.run()
  const summary = path.join(bench.contest, 'runs/one/1/report/summary.json')
  const written = await readFile(summary, 'utf8')
  await writeFile(summary, '{}')
  await utimes(summary, 1, 1)
  await bench.run()
  expect({ ...JSON.parse(await readFile(summary, 'utf8')), generatedAt: '' }).toEqual({ ...JSON.parse(written), generatedAt: '' })
})

test('no cell starts that would pass the budget if it used as much as the dearest so far, and none is cut', async () => {
  await using bench = await openSuiteBench()
  const spends = `echo 1 > answer.txt`
  await writeSuite(bench, { a: spends }, ['one', 'two', 'three', 'four'], { parallel: 1, budget: { tokens: 25 } })
  // The state of an earlier run: a participant that used ten tokens.
  await bench.run({ only: ['one'] })
  const file = path.join(bench.contest, 'runs/one/1/status.json')
  const status = JSON.parse(await readFile(file, 'utf8'))
  status.participants.a.usage = { input: 8, output: 2, cachedInput: 0, model: null }
  await writeFile(file, JSON.stringify(status))
  const two = path.join(bench.contest, 'runs/two/1')
  await bench.run({ only: ['two'] })
  const second = JSON.parse(await readFile(path.join(two, 'status.json'), 'utf8'))
  second.participants.a.usage = { input: 9, output: 1, cachedInput: 0, model: null }
  await writeFile(path.join(two, 'status.json'), JSON.stringify(second))
  // 20 are spent, and another participant may use 10 more.
  const { summary } = await bench.run()
  expect(summary.reached).toBe('tokens')
  expect(summary.spent.tokens).toBe(20)
  expect(summary.ranking[0]).toMatchObject({ notRun: 2, completion: { hits: 2, of: 2 } })
  expect(summary.notes[0]).toBe(
    'The budget has too few tokens left for another cell (20 are used), so 2 contests did not run or did not finish. To continue, raise it (budget in suite.yaml, --budget) and run: paddock suite run',
  )
  const why = 'the budget has too few tokens left for another cell'
  expect(summary.briefs.flatMap(({ runs }) => runs[0]?.why ?? [])).toEqual([why, why])
  await writeSuite(bench, { a: spends }, [], { parallel: 1, budget: { tokens: 100 } })
  expect((await bench.run()).summary).toMatchObject({ reached: null, ranking: [{ completion: { hits: 4, of: 4 } }] })
})

test('a budget of time is reported without money and tokens', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'echo 1 > answer.txt' }, ['one', 'two'], { parallel: 1, budget: { wall: '1ms' } })
  const { summary } = await bench.run()
  expect(summary.notes[0]).toMatch(/^The budget has too little time left for another cell, so 2 contests did not run or did not finish\./)
})

test('a contest in which the budget kept a participant from starting is judged only when it has all submissions', async () => {
  await using bench = await openSuiteBench()
  const writes = { a: 'echo 1 > answer.txt', b: 'echo 2 > answer.txt' }
  await writeSuite(bench, writes, ['one', 'two'], { parallel: 1, budget: { tokens: 24 } })
  await bench.run({ only: ['one'] })
  const statusOf = (brief: string): string => path.join(bench.contest, `runs/${brief}/1/status.json`)
  const one = JSON.parse(await readFile(statusOf('one'), 'utf8'))
  one.participants.a.usage = { input: 5, output: 0, cachedInput: 0, model: null }
  one.participants.b.usage = { input: 10, output: 0, cachedInput: 0, model: null }
  await writeFile(statusOf('one'), JSON.stringify(one))
  // a may use 5 of the remaining 9 tokens. b would need 10, and the judge none.
  await bench.run()
  const two = JSON.parse(await readFile(statusOf('two'), 'utf8'))
  expect([two.participants.a.state, two.participants.b.state, two.judging, two.tasks]).toEqual(['checked', 'pending', 0, []])
  await writeSuite(bench, writes, [], { parallel: 1, budget: { tokens: 100 } })
  const { summary } = await bench.run()
  expect(JSON.parse(await readFile(statusOf('two'), 'utf8'))).toMatchObject({ judging: 1, participants: { b: { state: 'checked' } } })
  expect(summary.judges[0]).toMatchObject({ answered: 2 })
})

test('a brief that disappears in the middle is reported, and the others are run', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'echo 1 > answer.txt' }, ['one', 'two', 'three'], { parallel: 1 })
  const { suiteEvents } = bench
  const push = suiteEvents.push.bind(suiteEvents)
  const gone = path.join(bench.contest, 'briefs/two')
  let removed: Promise<void> | null = null
  suiteEvents.push = (...events) => {
    if (events.some(({ type }) => type === 'run-started')) removed ??= rm(gone, { recursive: true })
    return push(...events)
  }
  const { summary } = await bench.run()
  await removed
  expect(summary.briefs.map(({ name, runs }) => [name, runs[0]?.state, runs[0]?.why])).toEqual([
    ['one', 'complete', null],
    ['three', 'complete', null],
    ['two', 'not-run', 'briefs/two has no BRIEF.md.'],
  ])
})

test('a changed brief does not reach what began with the old one; --fresh runs it anew', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'cat > answer.txt' }, ['one'])
  await bench.run()
  await bench.write('briefs/one/BRIEF.md', 'Something else.\n')
  await bench.run({ retry: true })
  const brief = path.join(bench.contest, 'runs/one/1/BRIEF.md')
  expect(await readFile(brief, 'utf8')).toBe('Write answer.txt, for one.\n')
  expect(bench.suiteEvents.filter((each) => each.type === 'warning').map(({ message }) => message)).toEqual([
    'one/1 keeps its original configuration: suite.yaml or its brief has changed since, and --fresh runs it again',
  ])
  await bench.run({ fresh: true })
  expect(await readFile(brief, 'utf8')).toBe('Something else.\n')
  expect(existsSync(path.join(bench.contest, 'runs/one/1/rounds/2/sealed/a/out.tar'))).toBe(true)
})

test('a contest.yaml that came with a suite gets nothing that suite.yaml does not ask for', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'env > answer.txt' }, ['one', 'two'])
  await bench.run({ only: ['one'] })
  const run = path.join(bench.contest, 'runs/one/1')
  const config = readFileSync(path.join(run, 'contest.yaml'), 'utf8')
  await writeFile(path.join(run, 'contest.yaml'), config.replace('agent: command', 'agent: command\n    env: [HOME]'))
  await rm(path.join(run, 'status.json'))
  // The contest never ran, so its contest.yaml is rewritten.
  await bench.run({ only: ['one'] })
  expect(readFileSync(path.join(run, 'contest.yaml'), 'utf8')).toBe(config)
  await writeFile(path.join(run, 'contest.yaml'), config.replace('agent: command', 'agent: command\n    env: [HOME]'))
  const { summary } = await bench.run({ only: ['one'], retry: true })
  expect(summary.briefs[0]?.runs[0]?.why).toMatch(/asks for things that need your trust:\n {2}participants\[0\].env = HOME/)
})

test('suite.yaml is asked for like a contest.yaml', async () => {
  const agreed: string[] = []
  await using bench = await openSuiteBench({ isTrusted: async (_, sha256) => agreed.includes(sha256), env: { COLOR: 'red' } })
  await writeSuite(bench, {}, ['one'], {}, { participants: [{ ...shellRole('a', 'echo "$COLOR" > answer.txt'), env: ['COLOR'] }], checks })
  await expect(bench.run()).rejects.toThrow('suite.yaml asks for things that need your trust:\n  contest.participants[0].env = COLOR')
  const { config } = await readSuite(bench.contest)
  agreed.push(asksHash(contestAsks(config.contest, {}).map(({ key, value }) => ({ key: `contest.${key}`, value }))))
  expect((await bench.run()).summary.ranking[0]?.completion).toMatchObject({ hits: 1 })
})

test('a brief.yaml asks for the variables of its workspace, too', async () => {
  await using bench = await openSuiteBench({ isTrusted: async () => false })
  await writeSuite(bench, {}, ['one', 'two'], {}, { participants: [{ name: 'a', agent: 'claude' }], judges: [], checks })
  const workspace = { directories: ['/app'], cwd: '/app', env: { LANG: 'C', NODE_OPTIONS: '--require /app/x.js' } }
  await bench.write('briefs/two/brief.yaml', JSON.stringify({ schemaVersion: 1, workspace }))
  await expect(bench.run()).rejects.toThrow(
    'suite.yaml asks for things that need your trust:\n  briefs/two: workspace.env = NODE_OPTIONS=--require /app/x.js',
  )
})

test('a contest.yaml that came with a suite gets nothing of what was agreed to for suite.yaml', async () => {
  await using bench = await openSuiteBench({ env: { COLOR: 'red' } })
  const asking = (line: string) => ({ participants: [{ ...shellRole('a', line), env: ['COLOR'], files: 'agent' }], judges: [], checks })
  await bench.write('agent/program', 'echo "$1" > answer.txt\n')
  await writeSuite(bench, {}, ['one'], {}, asking('sh /agent/program 7'))
  await bench.run()
  const run = path.join(bench.contest, 'runs/one/1')
  const mine = readFileSync(path.join(run, 'contest.yaml'), 'utf8')
  // A contest.yaml that was written on this machine continues as it started, even after a change of suite.yaml.
  await writeSuite(bench, {}, ['one'], {}, asking('sh /agent/program 8'))
  expect((await bench.run({ retry: true })).summary.briefs[0]?.runs[0]?.why).toBeNull()
  // This one requests the same access, but does something else with it.
  await writeFile(path.join(run, 'contest.yaml'), mine.replace('sh /agent/program 7', 'echo $COLOR > answer.txt'))
  const status = JSON.parse(readFileSync(path.join(run, 'status.json'), 'utf8'))
  status.participants.a = { ...status.participants.a, state: 'pending', outcome: null }
  await writeFile(path.join(run, 'status.json'), JSON.stringify(status))
  const { summary } = await bench.run()
  expect(existsSync(path.join(run, 'rounds/1/a/attempts/2'))).toBe(false)
  expect(summary.briefs[0]?.runs[0]?.why).toContain('was not written here')
  await bench.run({ fresh: true })
  expect(readFileSync(path.join(run, 'contest.yaml'), 'utf8')).toBe(mine.replace('program 7', 'program 8'))
  // The same contest.yaml with another program next to it, on the machine of a user who only agreed to suite.yaml.
  await rm(path.join(bench.deps.paths.state, 'trusted.json'))
  await writeFile(path.join(run, 'suite/agent/program'), 'echo "$COLOR" > answer.txt\n')
  const again = JSON.parse(readFileSync(path.join(run, 'status.json'), 'utf8'))
  again.participants.a = { ...again.participants.a, state: 'pending', outcome: null }
  await writeFile(path.join(run, 'status.json'), JSON.stringify(again))
  await bench.run()
  expect(readFileSync(path.join(run, 'suite/agent/program'), 'utf8')).toBe('echo "$1" > answer.txt\n')
  expect(existsSync(path.join(run, 'rounds/2/a/attempts/2'))).toBe(true)
})

test('links below runs/ are refused, and nothing is written where they lead', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'echo 1 > answer.txt' }, ['one', 'two'])
  const outside = path.join(bench.root, 'outside')
  await mkdir(outside)
  await mkdir(path.join(bench.contest, 'runs'))
  await symlink(outside, path.join(bench.contest, 'runs/one'))
  const { summary } = await bench.run()
  expect(summary.briefs.map(({ runs }) => runs[0]?.state)).toEqual(['not-run', 'complete'])
  expect(existsSync(path.join(outside, '1'))).toBe(false)
  await rm(path.join(bench.contest, 'runs'), { recursive: true })
  await symlink(outside, path.join(bench.contest, 'runs'))
  await expect(bench.run()).rejects.toThrow('is a symbolic link')
})

test('two at once: the second is refused; --only, --dry-run and unknown names', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'echo 1 > answer.txt' }, ['one', 'two'], { repeats: 3 })
  const plan = await suitePlan(bench.contest, bench.suiteDeps, {})
  expect(plan).toMatchObject({
    contests: { all: 6, open: 6 },
    open: { participants: 6, judges: 6 },
    cost: { money: null },
    each: { participants: [{ name: 'a' }] },
  })
  expect(existsSync(path.join(bench.contest, 'runs'))).toBe(false)
  const both = await Promise.allSettled([bench.run({ only: ['one'] }), bench.run({ only: ['one'] })])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find((each) => each.status === 'rejected')?.reason).toMatchObject({ code: 'BUSY' })
  expect(await suitePlan(bench.contest, bench.suiteDeps, {})).toMatchObject({ contests: { all: 6, open: 3 } })
  await expect(bench.run({ only: ['tow'] })).rejects.toThrow('this suite has no brief of that name')
})

test('a participant that is rated best by pairs only for length is reported on a ranking of its own', async () => {
  await using bench = await openSuiteBench()
  const longest = `cd /contest/submissions; a=$(cat A/* | wc -w); b=$(cat B/* | wc -w); w=tie; [ $a -gt $b ] && w=A; [ $b -gt $a ] && w=B; printf '{"better":"%s","why":"it is longer"}' $w > /contest/outbox/verdict.json`
  const briefs = ['one', 'two', 'three', 'four', 'five', 'six']
  // Each one writes as much text as the brief says.
  const writes = (name: string): string =>
    `head -c "$(cat /contest/raw/${name})" /dev/zero | tr '\\0' x | fold -w 5 | tr '\\n' ' ' > answer.txt`
  await writeSuite(
    bench,
    { a: writes('a'), b: writes('b'), c: writes('c') },
    briefs,
    {},
    {
      judges: ['j1', 'j2'].map((name) => shellRole(name, longest)),
      judging: { mode: 'pairwise' },
    },
  )
  for (const [at, each] of briefs.entries())
    for (const [place, name] of ['a', 'b', 'c'].entries())
      await bench.write(`briefs/${each}/raw/${name}`, String(200 + 150 * ((at + place) % 3)))
  const { summary } = await bench.run()
  const board = summary.boards.find(({ id }) => id === 'with-style')
  expect(board?.rows.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c'])
  expect(board?.style.some(({ worth }) => worth > 0)).toBe(true)
  expect(await readFile(path.join(bench.contest, 'report/leaderboard.md'), 'utf8')).toMatch(
    /Judges reward more (lines|words) than in the other submission/,
  )
})

test('judges are carded over all contests', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(
    bench,
    { a: 'echo 1 > answer.txt', b: 'echo 22 > answer.txt' },
    ['one', 'two', 'three', 'four'],
    {},
    {
      judges: [shellRole('mild', evenJudge(5)), shellRole('stern', evenJudge(2))],
    },
  )
  const { summary } = await bench.run()
  expect(summary.judges.map(({ name, answered, failed }) => [name, answered, failed])).toEqual([
    ['mild', 4, 0],
    ['stern', 4, 0],
  ])
  expect(summary.judges[0]?.card?.severity).toBeGreaterThan(0)
  expect(summary.verdict?.front).toEqual(['a', 'b'])
})
