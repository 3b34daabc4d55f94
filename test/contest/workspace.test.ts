import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseContest } from '../../src/contest/config/brief.ts'
import { lintContest } from '../../src/contest/lint/lint.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'
import { sealedFile } from '../support/sealed-files.ts'

const workspace = { directories: ['/app', '/data/in'], cwd: '/app/src', env: { MODE: 'strict' } }
const checks = [
  {
    name: 'tests',
    command: 'pwd > seen; sh /tests/test.sh',
    files: 'tests',
    filesAt: '/tests',
    rewardAt: '/logs/verifier',
  },
]

test('participants and checks work at the absolute paths of a workspace, which begins with what start holds', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    {
      right: 'cat > /app/prompt; pwd > /app/where; echo "$MODE" > /app/mode; tr a-z A-Z < /data/in/words > result; ls -A / > /app/root',
      wrong: 'echo nothing > result',
    },
    {},
    { rubric: undefined, checks, workspace, start: 'start' },
  )
  await bench.write('start/app/src/keep', 'kept')
  await bench.write('start/data/in/words', 'abc\n')
  await bench.write(
    'tests/test.sh',
    '[ "$MODE" = strict ] && [ -e keep ] && grep -qx ABC result && r=1 || r=0.25; echo $r > /logs/verifier/reward.txt; echo \'{"reward": 0}\' > /logs/verifier/reward.json',
  )
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map(({ name, score, checks: { results } }) => [name, score, results[0]?.reward])).toEqual([
    ['right', 100, 1],
    ['wrong', 25, 0.25],
  ])
  const out = (file: string): string => sealedFile(bench.contest, 'right', file)
  expect([out('app/where'), out('app/mode'), out('app/src/keep'), out('data/in/words')]).toEqual([
    '/app/src\n',
    'strict\n',
    'kept',
    'abc\n',
  ])
  expect(out('app/prompt')).toContain(
    'Your working directory is /app/src. Your submission is whatever is in /app, /data/in when you finish',
  )
  expect(out('app/root')).not.toMatch(/tests|logs/)
})

test('out/ begins with what start holds also without a workspace', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    { a: 'echo more >> text' },
    {},
    { rubric: undefined, start: 'start', checks: [{ name: 'both', command: 'grep -q one text && grep -q more text' }] },
  )
  await bench.write('start/text', 'one\n')
  expect((await runContest(bench.contest, bench.deps)).summary.ranking[0]?.score).toBe(100)
})

test('a start whose directories are links leads nowhere', async () => {
  await using bench = await openBench()
  const outside = path.join(bench.root, 'outside')
  await mkdir(outside)
  await writeContest(
    bench,
    { a: 'echo escaped > /app/file' },
    {},
    { rubric: undefined, checks, start: 'start', workspace: { directories: ['/app'], cwd: '/app' } },
  )
  await bench.write('start/x', '')
  await bench.write('tests/test.sh', 'true')
  await symlink(outside, path.join(bench.contest, 'start/app'))
  await expect(runContest(bench.contest, bench.deps)).rejects.toThrow('/app is a symbolic link')
})

test('a workspace has no directories of the system, and none in each other', () => {
  const text = (value: unknown): string =>
    JSON.stringify({
      schemaVersion: 1,
      name: 'x',
      participants: [{ name: 'a', agent: 'command', command: ['true'] }],
      checks: [{ name: 'c', command: 'true' }],
      workspace: value,
    })
  expect(parseContest(text(workspace)).workspace?.cwd).toBe('/app/src')
  for (const [directories, cwd, message] of [
    [['/etc/x'], '/etc/x', 'is in /etc, a directory of the system'],
    [['/usr'], '/usr', 'is a directory of the system'],
    [['/home'], '/home', 'only directories below it'],
    [['/root/.config'], '/root/.config', 'is hidden in a directory that can be the home of agents'],
    [['/contest'], '/contest', 'is a directory of a contest'],
    [['/app/..'], '/app', 'must be a plain path'],
    [['/app', '/app/in'], '/app', 'must not be in each other'],
    [['/app'], '/data', 'must be in one of the directories'],
    [['app'], '/app', 'must be an absolute path'],
  ] as const)
    expect(() => parseContest(text({ directories, cwd }))).toThrow(message)
})

test('a workspace can be in the home directory of cells, but cannot cover it', async () => {
  await using bench = await openBench()
  const { userHome } = bench.deps.paths
  const write = (directory: string) =>
    writeContest(
      bench,
      { a: 'pwd > where; echo "$HOME" > home' },
      {},
      { rubric: undefined, checks: [{ name: 'c', command: 'test -e where' }], workspace: { directories: [directory], cwd: directory } },
    )
  await write(path.dirname(userHome))
  const refusal = /workspace.directories\[0\] contains your home directory/
  await expect(lintContest(bench.contest, bench.deps)).rejects.toThrow(refusal)
  await expect(runContest(bench.contest, bench.deps)).rejects.toThrow(refusal)
  await write(path.join(userHome, 'work'))
  expect((await runContest(bench.contest, bench.deps)).summary.ranking[0]?.score).toBe(100)
  expect(sealedFile(bench.contest, 'a', path.join(userHome, 'work/home').slice(1))).toBe(`${userHome}\n`)
})
