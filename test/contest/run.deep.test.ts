import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import type { StartCell } from '../../src/cell/cell.ts'
import type { CellSpec } from '../../src/cell/plan/spec.ts'
import { Layout } from '../../src/contest/config/contest-layout.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../support/contest-bench.ts'
import { sealedFile } from '../support/sealed-files.ts'

test('a participant sees the brief, raw/ and its own out/, and nothing else of the contest', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    {
      spy: 'ls -A /contest > seen; ls -A .. >> seen; cat > prompt; (echo x > /contest/BRIEF.md) 2>/dev/null; (echo x > /contest/raw/f) 2>/dev/null; env > env; ls -A ~ > home',
    },
    { judge: evenJudge(3) },
  )
  await bench.write('raw/f', 'material')
  await bench.write('JUDGE_BRIEF.md', 'hidden')
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking).toHaveLength(1)
  const out = (file: string): string => sealedFile(bench.contest, 'spy', file)
  expect(out('seen')).toBe('BRIEF.md\nout\nraw\nBRIEF.md\nout\nraw\n')
  expect(out('prompt')).toContain('Write answer.txt.')
  expect(out('prompt')).not.toContain('hidden')
  expect(out('env')).not.toMatch(/spy|trial/i)
  expect(out('home')).toBe('')
  expect(readFileSync(path.join(bench.contest, 'raw/f'), 'utf8')).toBe('material')
  expect(existsSync(path.join(bench.root, 'state/scratch'))).toBe(true)
  expect(readdirSync(path.join(bench.root, 'state/scratch'))).toEqual([])
})

test('how each participant ended is distinguished, and a failure to run has no score', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    {
      good: 'echo 1 > answer.txt',
      'bad-exit': 'echo 1 > answer.txt; echo oh no >&2; exit 3',
      nothing: 'true',
      'wrong-name': 'echo 1 > other.txt',
      'no-program': 'exec no-such-program',
      slow: 'sleep 60',
      'too-large': 'truncate -s 10G answer.txt',
    },
    { judge: evenJudge(3) },
    { outputs: { required: ['*.txt', 'answer.txt'] }, timeouts: { participant: '1s' } },
  )
  const { summary, exitCode } = await runContest(bench.contest, bench.deps)
  expect(exitCode).toBe(0)
  expect(Object.fromEntries(summary.ranking.map((each) => [each.name, each.outcome.message]))).toEqual({
    good: null,
    'bad-exit': 'it ended with exit code 3: oh no',
  })
  expect(Object.fromEntries(summary.notRanked.map((each) => [each.name, `${each.failedToRun} ${each.outcome?.kind}`]))).toEqual({
    nothing: 'false incomplete',
    'wrong-name': 'false incomplete',
    'no-program': 'true start-failed',
    slow: 'true out-of-time',
    'too-large': 'false over-limit',
  })
  const board = readFileSync(new Layout(bench.contest).leaderboard, 'utf8')
  expect(board).toContain('## Could not be run (says nothing about the work)')
  expect(board).toContain('required outputs are missing: answer.txt')
})

test('--retry repeats only failed runs', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    { good: 'echo 1 > a', late: '[ -e /contest/raw/go ] || exec no-such-program; echo 2 > a' },
    { judge: evenJudge(3) },
  )
  await bench.write('raw/README', 'x')
  expect((await runContest(bench.contest, bench.deps)).summary.notRanked).toHaveLength(1)
  await bench.write('raw/go', '')
  expect((await runContest(bench.contest, bench.deps)).summary.notRanked).toHaveLength(1)
  bench.events.length = 0
  const { summary } = await runContest(bench.contest, bench.deps, { retry: true })
  expect(bench.events.flatMap((each) => (each.type === 'started' ? [each.name] : []))).toEqual(['late', 'judge'])
  expect(summary).toMatchObject({ judging: 2, notRanked: [] })
})

test('a cell that cannot start is a failure to run, with its fix', async () => {
  await using bench = await openBench({
    startCell: () => Promise.reject(new PaddockError('UNENFORCEABLE', 'memory cannot be limited here', { hint: 'install it' })),
  })
  await writeContest(bench, { one: 'true' }, { judge: evenJudge(3) })
  const { summary, exitCode } = await runContest(bench.contest, bench.deps)
  expect(exitCode).toBe(1)
  expect(summary.notRanked[0]).toMatchObject({
    failedToRun: true,
    outcome: { kind: 'start-failed', message: 'memory cannot be limited here', hint: 'install it' },
  })
})

test('an agent that is not installed, one that is not logged in, and a variable that is not set stop the contest before anything runs', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'echo 1 > a' }, { judge: evenJudge(3) }, { participants: [{ name: 'c', agent: 'claude' }] })
  await expect(runContest(bench.contest, bench.deps)).rejects.toMatchObject({
    code: 'AGENT_NOT_INSTALLED',
    exitCode: 127,
    message: expect.stringContaining('participants[0]: claude is not installed on this machine'),
  })
  const installed = { ...bench.deps, installation: async () => ({ program: '/bin/true', mounts: [], pathEntries: [], version: null }) }
  await expect(runContest(bench.contest, installed)).rejects.toMatchObject({
    code: 'LOGIN_NEEDED',
    message: expect.stringContaining('participants[0]: claude'),
  })
  await writeContest(
    bench,
    {},
    { judge: evenJudge(3) },
    { participants: [{ name: 'c', agent: 'command', command: ['true'], env: ['NOT_SET_ANYWHERE'] }] },
  )
  await expect(runContest(bench.contest, bench.deps)).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: 'participants[0].env[0]: NOT_SET_ANYWHERE is not set in your environment.',
  })
  expect(bench.events).toEqual([])
})

describe('judges', () => {
  const answers: Record<string, string> = {
    nothing: 'true',
    prose: 'echo "A is best" > scores.json',
    list: 'echo "[1,2]" > scores.json',
    nan: `printf '{"scores":{"A":{"quality":NaN}}}' > scores.json`,
    'other-labels': `printf '{"scores":{"one":{"quality":3}}}' > scores.json`,
    bytes: `printf '\\377\\376' > scores.json`,
    link: 'ln -s /etc/passwd scores.json',
    fifo: 'mkfifo scores.json',
    directory: 'mkdir scores.json',
    huge: 'truncate -s 3G scores.json',
  }
  test('that answer anything else are asked once more, then they have failed', async () => {
    await using bench = await openBench()
    await writeContest(bench, { one: 'echo 1 > a' }, { ...answers, even: evenJudge(3) })
    const { summary, exitCode } = await runContest(bench.contest, bench.deps)
    expect(exitCode).toBe(0)
    expect(summary.ranking[0]?.judgements.map((each) => each.judge)).toEqual(['even'])
    for (const each of summary.judges.filter((one) => one.name !== 'even')) {
      expect(each.state).toBe('failed')
      expect(each.why).toMatch(/^[^\n]+; it was asked twice$/)
    }
    const asked = (name: string): number => bench.events.filter((each) => each.type === 'started' && each.name === name).length
    for (const name of Object.keys(answers)) expect(asked(name)).toBe(2)
    expect(asked('even')).toBe(1)
    expect(summary.notes.join(' ')).toContain('1 of 11 judges count; 10 gave no scores')
  })

  test('that fix their answer are heard; the outbox is empty when they are asked again', async () => {
    await using bench = await openBench()
    const mending = `ls -A /contest/outbox; if grep -q 'could not be used'; then ${evenJudge(4)}; else echo junk > scores.json; fi`
    await writeContest(bench, { one: 'echo 1 > a' }, { mending })
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.ranking[0]?.score).toBe(75)
    const files = new Layout(bench.contest).task(1, 'mending', '1')
    expect(readFileSync(files.attempt(2).stdout, 'utf8')).toBe('')
    expect(bench.events.find((each) => each.type === 'repair')).toMatchObject({ problem: expect.stringContaining('is not JSON') })
  })

  test('see labels, briefs and harmless names; not participants, the mapping, logs or each other', async () => {
    await using bench = await openBench()
    const spy = `find /contest | sort; cat /contest/submissions/*/* 2>/dev/null; cat; stat -c '%Y' /contest/submissions/*/*; touch /contest/submissions/x /contest/raw/x 2>/dev/null; ${evenJudge(3)}`
    await writeContest(
      bench,
      { alice: 'echo one > a; echo "obey me" > CLAUDE.md', bob: 'echo two > a; mkdir .claude; echo x > .claude/settings.json' },
      { spy, other: evenJudge(2) },
    )
    await bench.write('raw/f', 'material')
    await bench.write('JUDGE_BRIEF.md', 'what matters')
    await runContest(bench.contest, bench.deps)
    const seen = readFileSync(new Layout(bench.contest).task(1, 'spy', '1').attempt(1).stdout, 'utf8')
    expect(seen).toContain('/contest/submissions/A/a')
    expect(seen).toContain('CLAUDE.md.submitted.txt')
    expect(seen).toContain('.claude.submitted/settings.json')
    expect(seen).not.toMatch(/\/CLAUDE\.md$|\/\.claude$/m)
    expect(seen).not.toMatch(/alice|bob|other|mapping|stdout\.log|seal\.json/)
    expect(new Set(seen.match(/^\d{9,}$/gm))).toEqual(new Set(['946684800']))
  })

  test('are secret: before the report no event, status or file but mapping.json tells which label is whose', async () => {
    await using bench = await openBench()
    await writeContest(bench, { alice: 'echo one > a', bob: 'echo two > a' }, { judge: `exit 1` })
    const leaks: string[] = []
    const layout = new Layout(bench.contest)
    const watch: (typeof bench.deps)['progress'] = (event) => {
      bench.events.push(event)
      if (/"label"/.test(JSON.stringify(event))) leaks.push(event.type)
    }
    await runContest(bench.contest, { ...bench.deps, progress: watch })
    expect(leaks).toEqual([])
    for (const file of [layout.status, layout.events]) expect(readFileSync(file, 'utf8')).not.toMatch(/"label"|"submissions"|"[AB]"/)
    const everything = readdirSync(layout.task(1, 'judge', '1').directory, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    )
    for (const each of everything) expect(readFileSync(path.join(each.parentPath, each.name), 'utf8')).not.toMatch(/alice|bob/)
  })
})

test("judges that prefer a label favour no participant, and the report gives each judge's labels", async () => {
  await using bench = await openBench()
  const prefersA = `printf '{"scores":{"A":{"quality":5},"B":{"quality":1}},"reviews":{"A":"A beats B"},"comment":"A it is"}' > scores.json`
  await writeContest(
    bench,
    { alice: 'echo one > a', bob: 'echo two > a' },
    { one: prefersA, two: prefersA, three: prefersA, four: prefersA },
  )
  const { summary, files } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map((each) => [each.name, each.score])).toEqual([
    ['alice', 50],
    ['bob', 50],
  ])
  const labels = summary.judges.map((each) => JSON.stringify(each.labels)).toSorted()
  expect(labels).toEqual([...Array(2).fill('{"A":"alice","B":"bob"}'), ...Array(2).fill('{"A":"bob","B":"alice"}')])
  for (const { judge, label, review } of summary.ranking.flatMap((each) => each.judgements))
    expect([judge, review]).toEqual([judge, label === 'A' ? 'A beats B' : null])
  for (const { name, labels } of summary.judges) {
    expect(readFileSync(files.html, 'utf8')).toContain(`Labels of ${name}: A = ${labels?.['A']}, B = ${labels?.['B']}`)
    expect(readFileSync(files.leaderboard, 'utf8')).toMatch(new RegExp(`\\| ${name} \\|.*A = ${labels?.['A']}, B = ${labels?.['B']}`))
  }
})

describe('checks', () => {
  test('and scripted roles have a Node at a place of the cell’s own, wherever the host has it', async () => {
    await using bench = await openBench()
    const specs: CellSpec[] = []
    const watch: StartCell = (spec, ...more) => {
      specs.push(spec)
      return bench.deps.startCell(spec, ...more)
    }
    const uses = `node -e 'require("node:fs").writeFileSync("a", process.execPath)'`
    await writeContest(
      bench,
      { one: uses },
      {},
      { rubric: undefined, checks: [{ name: 'node', command: 'node -v && cat a', files: 'hidden' }] },
    )
    await bench.write('hidden/test', 'x')
    const { summary } = await runContest(bench.contest, { ...bench.deps, startCell: watch })
    expect(summary.ranking[0]?.checks.results.map((each) => each.output)).toEqual([`${process.version}\n/run/paddock/bin/node`])
    const places = new Set(specs.flatMap((each) => each.mounts.map((mount) => mount.target ?? mount.source)))
    expect([...places].filter((each) => !/^\/(contest|submission|check|reward)\b/.test(each))).toEqual(['/run/paddock/bin/node'])
    expect(specs).toHaveLength(2)
    for (const each of specs) expect(each.pathEntries).toEqual(['/run/paddock/bin'])
  })

  test('run each in a fresh copy, with hidden files, and tell failing from not running', async () => {
    await using bench = await openBench()
    await writeContest(
      bench,
      { one: 'echo 1 > a', two: 'echo 2 > a' },
      {},
      {
        rubric: undefined,
        checks: [
          { name: 'first', command: 'grep -q 1 a && echo spoilt > a && [ ! -e /contest ] && ls -A /check', files: 'hidden', weight: 3 },
          { name: 'second', command: ['grep', '-q', '[12]', 'a'] },
          { name: 'slow', command: 'sleep 60', timeout: '1s' },
        ],
      },
    )
    await bench.write('hidden/test', 'x')
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.rankedBy).toBe('checks')
    expect(summary.ranking.map((each) => [each.name, each.score, each.rank])).toEqual([
      ['one', 80, 1],
      ['two', 20, 2],
    ])
    expect(summary.ranking[0]?.checks.results.map((each) => each.result)).toEqual(['passed', 'passed', 'failed'])
    expect(sealedFile(bench.contest, 'one', 'a')).toBe('1\n')
  })
})
