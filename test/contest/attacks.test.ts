import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { contestAsks } from '../../src/contest/config/asked-rights.ts'
import { parseContest } from '../../src/contest/config/brief.ts'
import { readAnswer } from '../../src/contest/judging/judge-answer.ts'
import { contestPlan } from '../../src/contest/stages/plan-contest.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../support/contest-bench.ts'
import { temporary } from '../support/temporary.ts'

describe('a contest that was cloned', () => {
  test('writes nowhere by an id of a task that leads out of it', async () => {
    await using bench = await openBench()
    await writeContest(bench, { one: 'echo x > answer.txt' }, { judge: evenJudge(3) })
    await runContest(bench.contest, bench.deps)
    const victim = path.join(bench.root, 'victim')
    mkdirSync(path.join(victim, 'x-1'), { recursive: true })
    writeFileSync(path.join(victim, 'x-1', 'kept'), 'kept')
    const id = path.relative(path.join(bench.contest, 'judging/1/judge/tasks'), path.join(victim, 'x'))
    const change = (file: string, state: object): void => {
      const at = path.join(bench.contest, file)
      const content = JSON.parse(readFileSync(at, 'utf8')) as { tasks: object[] }
      writeFileSync(at, JSON.stringify({ ...content, tasks: content.tasks.map((each) => ({ ...each, id, ...state })) }))
    }
    change('judging/1/mapping.json', {})
    change('status.json', { state: 'pending' })
    await expect(runContest(bench.contest, bench.deps)).rejects.toThrow(/status\.json is not a status/)
    // The mapping is not used without the status either.
    await runContest(bench.contest, bench.deps, { fresh: true })
    expect(readdirSync(victim)).toEqual(['x-1'])
    expect(readFileSync(path.join(victim, 'x-1', 'kept'), 'utf8')).toBe('kept')
  })

  test.each([
    ['a participant', 'rounds/1/out', 'attempts'],
    ['a participant', 'rounds/1/inbox', 'attempts'],
    ['a judge', 'judging/1/out/tasks', '1'],
    ['a judge', 'judging/1', 'outbox'],
  ])('whose records have a link below a name that %s may have is refused: %s/%s', async (_who, below, name) => {
    await using bench = await openBench()
    await writeContest(bench, { out: 'echo x > answer.txt', inbox: 'true' }, { out: evenJudge(3), outbox: evenJudge(3) })
    const victim = path.join(bench.root, 'victim')
    mkdirSync(victim)
    mkdirSync(path.join(bench.contest, below), { recursive: true })
    symlinkSync(victim, path.join(bench.contest, below, name))
    await expect(runContest(bench.contest, bench.deps)).rejects.toThrow(/is a symbolic link; Paddock keeps only its own files there/)
    expect(readdirSync(victim)).toEqual([])
  })

  test('gets nothing of the user’s that the user did not agree to, and starts nothing before', async () => {
    await using bench = await openBench({ env: { AWS_SECRET_ACCESS_KEY: 'worth-something' } })
    const participants = [
      { name: 'one', agent: 'command', command: ['sh', '-c', 'env > answer.txt'], env: ['AWS_SECRET_ACCESS_KEY', 'TZ=UTC'] },
    ]
    await writeContest(bench, {}, {}, { participants, rubric: undefined, checks: [{ name: 'c', command: 'true' }] })
    const asked: string[][] = []
    const deps = {
      ...bench.deps,
      isTrusted: async (...about: [string, string]) => {
        asked.push(about)
        return false
      },
    }
    const refused = /contest\.yaml asks for things that need your trust:\n {2}participants\[0\]\.env = AWS_SECRET_ACCESS_KEY$/
    await expect(runContest(bench.contest, deps)).rejects.toThrow(refused)
    await expect(contestPlan(bench.contest, deps, {})).rejects.toThrow(refused)
    expect(existsSync(path.join(bench.contest, 'rounds'))).toBe(false)
    expect(asked).toEqual([
      [path.join(bench.contest, 'contest.yaml'), expect.stringMatching(/^[0-9a-f]{64}$/)],
      [path.join(bench.contest, 'contest.yaml'), asked[0]?.[1]],
    ])
  })

  test('asks by name for each thing, and for nothing if it uses only what is its own', () => {
    const asks = (role: object, more: object = {}): string[] => {
      const participants = [{ name: 'one', agent: 'claude', ...role }]
      const text = JSON.stringify({ schemaVersion: 1, name: 'n', participants, checks: [{ name: 'c', command: 'true' }], ...more })
      return contestAsks(parseContest(text), {}).map(({ key, value }) => `${key} = ${value}`)
    }
    expect(asks({})).toEqual([])
    expect(asks({ env: ['LANG=C'], model: 'x', egress: { allow: ['example.com'], presets: ['npm'] } })).toEqual([])
    expect(asks({ env: ['LD_PRELOAD=raw/x.so'] })).toEqual(['participants[0].env = LD_PRELOAD=raw/x.so'])
    const workspace = { directories: ['/app'], cwd: '/app', env: { LANG: 'C', NODE_OPTIONS: '--require /app/x.js' } }
    expect(asks({}, { workspace })).toEqual(['workspace.env = NODE_OPTIONS=--require /app/x.js'])
    expect(asks({ agent: 'command', command: ['x'] }, { workspace })).toEqual([])
    expect(asks({ egress: { policy: 'public' } })).toEqual(['participants[0].egress.policy = public'])
    expect(asks({ baseUrl: 'http://evil.example' })).toEqual(['participants[0].baseUrl = http://evil.example'])
    expect(asks({ baseUrl: 'http://evil.example', credentials: 'none' })).toEqual([])
    expect(asks({ credentials: 'snapshot' })).toEqual(['participants[0].credentials = snapshot'])
    expect(asks({ credentials: 'volume:x' })).toEqual(['participants[0].credentials = volume:x'])
    expect(asks({ secrets: ['NPM=env:NPM_TOKEN@example.com'] })).toEqual(['participants[0].secrets = NPM=env:NPM_TOKEN@example.com'])
    expect(asks({ repos: ['github.com/o/r=write'] })).toEqual(['participants[0].repos = github.com/o/r=write'])
    expect(asks({ egress: { policy: 'open' } })).toEqual(['participants[0].egress.policy = open'])
    expect(asks({ egress: { allow: ['a.example:443=10.0.0.1:443'] } })).toEqual(['participants[0].egress = a.example:443=10.0.0.1:443'])
  })

  test('asks for the hosts that it reaches if it holds something of the user’s, so that consent to one is not used to send it to another', () => {
    const asks = (role: object, more: object = {}): string[] => {
      const participants = [{ name: 'one', agent: 'command', command: ['x'], ...role }]
      const text = JSON.stringify({ schemaVersion: 1, name: 'n', participants, checks: [{ name: 'c', command: 'true' }], ...more })
      return contestAsks(parseContest(text), {}).map(({ key, value }) => `${key} = ${value}`)
    }
    const egress = { allow: ['a.example'], ask: ['b.example'], presets: ['npm'], rules: ['deny PUT d.example/**'] }
    const hosts = [
      'participants[0].egress.allow = a.example',
      'participants[0].egress.ask = b.example',
      'participants[0].egress.presets = npm',
      'participants[0].egress.rules = deny PUT d.example/**',
    ]
    expect(asks({ egress })).toEqual([])
    expect(asks({ egress, env: ['TOKEN'] })).toEqual(['participants[0].env = TOKEN', ...hosts])
    expect(asks({ egress }, { posture: 'L1' })).toEqual(['posture = L1', ...hosts])
    expect(asks({ egress, posture: 'L1' })).toEqual(['participants[0].posture = L1', ...hosts])
    expect(asks({ egress, posture: 'L2' }, { posture: 'L1' })).toEqual(['posture = L1'])
    expect(asks({ agent: 'claude', command: undefined, egress: { inspect: ['c.example'] }, credentials: 'snapshot' })).toEqual([
      'participants[0].credentials = snapshot',
      'participants[0].egress.inspect = c.example',
    ])
    expect(asks({ agent: 'claude', command: undefined, baseUrl: 'http://evil.example', credentials: 'none', posture: 'L1' })).toEqual([
      'participants[0].posture = L1',
      'participants[0].baseUrl = http://evil.example',
    ])
  })
})

test('a participant cannot be called sealed, where the sealed work of others is', () => {
  const participants = [{ name: 'sealed', agent: 'command', command: ['x'] }]
  const text = JSON.stringify({ schemaVersion: 1, name: 'n', participants, checks: [{ name: 'c', command: 'true' }] })
  expect(() => parseContest(text)).toThrow('participants[0].name is sealed, which is the directory of the sealed work; take another name')
})

describe('a submission', () => {
  test('with a name that becomes too long when it is redacted does not stop the judging', async () => {
    await using bench = await openBench()
    const long = 'gpt-'.repeat(63)
    const deep = `$(printf 'gpt/%.0s' $(seq 60))`
    const evil = `echo x > ${long}; echo y > ${long}gpt; mkdir -p ${deep}; echo z > ${deep}gpt`
    const look = `cd /contest/submissions; find . -type f | sort > /contest/outbox/review.md; ${evenJudge(3)}`
    await writeContest(bench, { evil, good: 'echo x > answer.txt' }, { judge: look }, { judging: { identity: 'redact' } })
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.ranking.map(({ name }) => name)).toEqual(['evil', 'good'])
    const seen = summary.judges[0]?.review ?? ''
    expect(seen).toMatch(/\/redacted-2\n/)
    expect(seen).toMatch(/\/redacted-3\n/)
    expect(seen).not.toMatch(/gpt/)
  })

  test('that decides where the program that judges it begins runs nothing there', async () => {
    await using bench = await openBench()
    const attack = 'printf "import os\\nos._exit(0)\\n" > json.py'
    const checks = [
      {
        name: 'c',
        run: 'cp /submission/json.py /result/',
        verify: ['/usr/bin/python3', '-c', 'import json, sys; json.loads("{}"); sys.exit(1)'],
      },
    ]
    await writeContest(bench, { evil: attack }, {}, { rubric: undefined, checks })
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.ranking[0]?.checks.results).toMatchObject([{ result: 'failed', exitCode: 1 }])
  })
})

test('a check does not count for nothing if what a submission left makes Paddock fail', async () => {
  await using bench = await openBench()
  const checks = [{ name: 'c', run: 'echo x > /result/x', verify: 'true' }]
  await writeContest(bench, { evil: 'echo x > answer.txt' }, {}, { rubric: undefined, checks })
  const startCell: typeof bench.deps.startCell = async (spec, ...rest) => {
    const left = spec.mounts.find(({ target, access }) => target === '/result' && access === 'rw')
    const cell = await bench.deps.startCell(spec, ...rest)
    // Like a full disk: no file can be written where the deciding program looks.
    if (left !== undefined) writeFileSync(path.join(path.dirname(left.source), 'result'), 'in the way')
    return cell
  }
  const { summary } = await runContest(bench.contest, { ...bench.deps, startCell })
  expect(summary.ranking[0]?.checks).toMatchObject({ passed: 0, counted: 1, results: [{ result: 'failed' }] })
  expect(summary.ranking[0]?.checks.results[0]?.why).toMatch(/^what it left in \/result was not accepted: /)
})

test('a last message of a judge that is nested deeply is an answer that is refused, not the end of the contest', async () => {
  await using on = await temporary()
  writeFileSync(on.at('scores.json'), JSON.stringify({ scores: { A: { quality: 3 } } }))
  const deep = `{"scores":${'{"A":'.repeat(5000)}1${'}'.repeat(5000)}}`
  const rules = { mode: 'rubric' as const, labels: ['A'], dimensions: ['quality'], scale: { min: 1, max: 5 } }
  expect(await readAnswer(on.at('.'), rules, deep)).toMatchObject({ kind: 'refused' })
})

test.each([
  ['its work', '/contest/out'],
  ['raw', '/contest/raw'],
  ['its own files', '/agent'],
  ['the inputs of a check', '/inputs'],
])('a cell that can write to a running contest does not lead %s out of it by a link', async (_what, target) => {
  await using bench = await openBench()
  const victim = path.join(bench.root, 'victim')
  for (const each of ['victim', 'contest/raw', 'contest/files', 'contest/inputs'])
    mkdirSync(path.join(bench.root, each), { recursive: true })
  writeFileSync(path.join(victim, 'secret'), 'of the user')
  const checks = [{ name: 'c', run: 'cp -r /inputs/. /result/', inputs: 'inputs', verify: 'exit 1' }]
  const line = 'cp /agent/secret /contest/raw/secret out/ 2>/dev/null; echo x > /contest/out/answer.txt'
  const participants = [{ name: 'one', agent: 'command', command: ['sh', '-c', line], files: 'files' }]
  await writeContest(bench, {}, {}, { participants, rubric: undefined, checks })
  const led: string[] = []
  const startCell: typeof bench.deps.startCell = async (spec, ...rest) => {
    const mount = spec.mounts.find((each) => each.target === target)
    if (mount !== undefined && led.length === 0) {
      led.push(mount.source)
      renameSync(mount.source, path.join(bench.root, 'moved'))
      symlinkSync(victim, mount.source)
    }
    return bench.deps.startCell(spec, ...rest)
  }
  await runContest(bench.contest, { ...bench.deps, startCell }).catch(() => undefined)
  expect(led).toHaveLength(1)
  expect(readdirSync(victim)).toEqual(['secret'])
  for (const each of led) rmSync(each, { force: true })
  const files = readdirSync(bench.contest, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const texts = files.map((each) => readFileSync(path.join(each.parentPath, each.name), 'utf8'))
  expect(texts.some((each) => each.includes('of the user'))).toBe(false)
  expect(texts.some((each) => /is behind a symbolic link, so .* is mounted there instead/.test(each))).toBe(true)
})
