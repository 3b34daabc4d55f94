import { readdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findAdapter } from '../../src/adapters/find-adapter.ts'
import { parseContest, readContest } from '../../src/contest/config/brief.ts'
import { advice } from '../../src/contest/lint/advice.ts'
import { lintContest } from '../../src/contest/lint/lint.ts'
import { likelyFiles } from '../../src/contest/lint/named-files.ts'
import { endingLine } from '../../src/contest/lint/only-ends.ts'
import { type Bench, copyExample, openBench, writeContest } from '../support/contest-bench.ts'

/** Returns what `lint --try` reports about checks, one sentence each. */
async function faults(
  bench: Bench,
  checks: readonly Readonly<Record<string, unknown>>[],
  more: object = { oracle: 'oracle' },
): Promise<string[]> {
  await bench.write('answers/right', '42\n')
  await bench.write('oracle/program', 'echo 42\n', 0o755)
  await writeContest(bench, { one: 'true' }, {}, { checks: checks.map((each, index) => ({ name: `c${index}`, ...each })), ...more })
  const { findings } = await lintContest(bench.contest, bench.deps, { try: true })
  return findings.map(({ level, key, message }) => `${level}: ${key}: ${message}`)
}

const good = { run: 'sh /submission/program > /result/answer', verify: 'cmp /result/answer /check/right', files: 'answers' }

describe('lint --try', () => {
  test.each(['hello', 'three-clis'])('the checks of the example %s fail nothing and what only ends, and pass the oracle', async (name) => {
    await using bench = await openBench()
    await copyExample(name, bench.contest)
    const { tried, findings } = await lintContest(bench.contest, bench.deps, { try: true })
    expect(findings.filter((each) => each.level === 'fault')).toEqual([])
    const results = tried?.map(({ empty, onlyEnds, oracle }) => [empty.result, onlyEnds?.result, oracle?.result])
    expect(results).toEqual(results?.map(() => ['failed', 'failed', 'passed']))
    expect(results?.length).toBeGreaterThan(3)
  })

  test('a check that imports submissions is named', async () => {
    await using bench = await openBench()
    await bench.write('oracle/answer.mjs', 'export default 42\n')
    await bench.write('answers/check.mjs', "if ((await import('/submission/answer.mjs')).default !== 42) process.exit(1)\n")
    const said = await faults(bench, [good, { command: ['node', '/check/check.mjs'], files: 'answers' }])
    expect(said).toEqual([
      'fault: checks[1]: c1 passes a submission whose files do nothing but end with success: it decides where the submission runs; write run and verify',
      expect.stringMatching(/^advice: checks\[1\]\.command: c1 decides in the cell that the submission is in/),
    ])
  })

  test.each([
    ['import { sum } from "/submission/add.mjs"; if (sum(1, 2) !== 3) process.exit(1)', 'check.mjs', 'node'],
    ["const { sum } = require('/submission/add'); if (sum(1, 2) !== 3) process.exit(1)", 'check.cjs', 'node'],
    ['import add, { total as sum } from "/submission/add.mjs"; if (sum(1, 2) !== add) process.exit(1)', 'check.mjs', 'node'],
    [
      "import path from 'node:path'; const at = path.join(process.cwd(), 'add.mjs'); await import(at); process.exit(1)",
      'check.mjs',
      'node',
    ],
    ['import sys\nsys.path.insert(0, "/submission")\nfrom add import total\nassert total(1, 2) == 3', 'check.py', 'python3'],
    ['dir=/submission; exec "$dir/add" 1 2', 'check.sh', 'sh'],
  ])('so is one whose files import or start submissions, without an oracle: %s', async (text, file, program) => {
    await using bench = await openBench()
    await bench.write(`answers/${file}`, text)
    const said = await faults(bench, [{ command: [program, `/check/${file}`], files: 'answers' }], {})
    expect(said[0]).toMatch(/^fault: checks\[0\]: c0 passes a submission whose files do nothing but end with success/)
  })

  test('a check of files that nothing names is not tried on what only ends', async () => {
    await using bench = await openBench()
    await writeContest(bench, { one: 'true' }, {}, { checks: [{ name: 'c', run: 'cp * /result/', verify: 'test -s /result/x' }] })
    const { tried, findings } = await lintContest(bench.contest, bench.deps, { try: true })
    expect(tried?.map(({ empty, onlyEnds }) => [empty.result, onlyEnds])).toEqual([['failed', null]])
    expect(findings.filter(({ level }) => level === 'fault')).toEqual([])
  })

  test('so is one that only looks how the run ended, one that passes nothing, one that no answer passes, and one that is flaky', async () => {
    await using bench = await openBench()
    const flaky = 'test $(( $(od -An -N4 -tu4 /dev/urandom) % 2 )) = 0'
    const said = await faults(bench, [
      good,
      { ...good, verify: 'test "$PADDOCK_RUN_EXIT" = 0' },
      { ...good, verify: 'true' },
      { ...good, verify: 'echo it is 42; exit 3' },
      { ...good, verify: `cmp /result/answer /check/right && ${flaky}`, repeats: 20 },
    ])
    expect(said.toSorted()).toEqual([
      'fault: checks[1]: c1 passes a submission whose files do nothing but end with success: have verify look for a result in /result',
      'fault: checks[2]: c2 passes an empty submission, so it does not distinguish submissions',
      'fault: checks[3]: c3 fails the oracle: exit code 3 (it is 42)',
      expect.stringMatching(/^fault: checks\[4\]: c4 gives different results on the same work: it passed \d+ of 20 runs/),
    ])
  })

  test('an oracle that no participant could hand in is a fault, and none at all is advice', async () => {
    await using bench = await openBench()
    expect(await faults(bench, [good], { oracle: 'oracle', outputs: { required: ['*.md', 'program'] } })).toEqual([
      'fault: oracle: lacks what outputs.required names: *.md',
    ])
    await bench.write('oracle/more', '')
    expect(await faults(bench, [good], { oracle: 'oracle', outputs: { maxFiles: 1 } })).toEqual([
      expect.stringMatching(/^fault: oracle: would not be accepted from a participant: it has more than 1 files/),
      expect.stringMatching(/^fault: checks\[0\]: c0 fails the oracle/),
    ])
    expect(await faults(bench, [good], {})).toEqual([expect.stringMatching(/^advice: oracle: is missing/)])
  })

  test('nothing of it stays, in the contest or beside it', async () => {
    await using bench = await openBench()
    await faults(bench, [good])
    expect((await readdir(bench.contest)).toSorted()).toEqual(['BRIEF.md', 'answers', 'contest.yaml', 'oracle'])
    expect(await readdir(path.join(bench.deps.paths.state, 'scratch'))).toEqual([])
  })
})

describe('an oracle', () => {
  test.each([{ oracle: 'raw/oracle' }, { oracle: 'own' }])('that participants would see is refused: $oracle', async ({ oracle }) => {
    await using bench = await openBench()
    await bench.write('raw/oracle/x', '')
    await bench.write('own/x', '')
    await writeContest(
      bench,
      {},
      {},
      {
        participants: [{ name: 'one', agent: 'command', command: ['true'], files: 'own' }],
        checks: [{ name: 'c', ...good, files: undefined }],
        oracle,
      },
    )
    await expect(readContest(bench.contest)).rejects.toThrow(/contest\.yaml, oracle: participants would see it: they see (raw|own)/)
  })

  test('that is missing is named with its key', async () => {
    await using bench = await openBench()
    await faults(bench, [good])
    await rm(path.join(bench.contest, 'oracle'), { recursive: true })
    await expect(readContest(bench.contest)).rejects.toThrow(
      /^contest\.yaml, line \d+, column \d+: oracle names no directory beside contest\.yaml: oracle$/,
    )
  })
})

describe('lint', () => {
  const judged = (...judges: readonly object[]): string[] => {
    const text = JSON.stringify({
      schemaVersion: 1,
      name: 'x',
      participants: [
        { name: 'p', agent: 'claude' },
        { name: 'q', agent: 'codex' },
      ],
      judges: judges.map((each, index) => ({ name: `j${index}`, ...each })),
      judging: { policy: 'warn' },
      rubric: { dimensions: [{ id: 'd', description: 'D.' }] },
      checks: [{ name: 'c', run: 'true', verify: 'true' }],
    })
    return advice(parseContest(text), findAdapter).map(({ key, message }) => `${key}: ${message}`)
  }

  test('suggests three judges of three families, first those without a participant', () => {
    expect(judged({ agent: 'gemini' })).toEqual([
      'judges: 1 of them gives no interval for one brief; take three of three families, for example gemini (google), grok (xai), claude (anthropic)',
    ])
    const three = [{ agent: 'gemini' }, { agent: 'gemini' }, { agent: 'gemini' }]
    expect(judged(...three)).toEqual([
      expect.stringMatching(/^judges: all 3 are of google, and make similar errors; take three of three families/),
    ])
    expect(judged({ agent: 'gemini' }, { agent: 'grok' }, { agent: 'claude' })).toEqual([])
    expect(judged({ agent: 'gemini' }, { agent: 'grok' }, { agent: 'command', command: ['true'] })).toEqual([])
    expect(judged()).toEqual([])
  })

  test('files that only end are those of the language', () => {
    expect(endingLine('a/b.mjs', '')).toBe('process.exit(0)\n')
    expect(endingLine('run', '#!/usr/bin/env node\n…')).toBe('#!/usr/bin/env node\nprocess.exit(0)\n')
    expect(endingLine('run', '')).toBe('#!/bin/sh\nexit 0\n')
    expect(endingLine('a.js', '', ['default', 'sum'])).toBe('process.exit(0)\nexport default 0\nexport const sum = 0\n')
    expect(endingLine('a.cjs', '', ['sum'])).toBe('process.exit(0)\n')
    expect(endingLine('package.json', '{}')).toBeNull()
  })
})

test('the likely files of a submission are those that the checks and their files name', async () => {
  await using bench = await openBench()
  await bench.write(
    'answers/check.mjs',
    "import { help } from './help.mjs'\nawait import('/submission/six.mjs')\nspawn(join(d, 'seven.py'))\nread('/submission/eight.json')",
  )
  await bench.write('answers/help.mjs', '')
  await bench.write('given/data.bin', '/submission/nine\0')
  const checks = [
    { name: 'a', run: './one --x | /submission/two.mjs ../no', verify: 'true', files: 'answers', inputs: 'given' },
    { name: 'b', command: ['node', '/submission/src/three.js'] },
  ]
  const likely = async (more: object): Promise<readonly string[]> => {
    await writeContest(bench, { one: 'true' }, {}, { checks, ...more })
    return (await likelyFiles(await readContest(bench.contest))).files
  }
  const outputs = { required: ['four', '*.md', './five'] }
  expect(await likely({ outputs })).toEqual(['four', 'five', 'two.mjs', 'one', 'src/three.js', 'six.mjs', 'eight.json', 'seven.py'])
  const workspace = { directories: ['/app', '/data'], cwd: '/app/x' }
  await bench.write('answers/check.mjs', "import('/app/six.mjs'); read('/data/eight.json')")
  expect(await likely({ workspace, checks: [{ name: 'a', command: './one', files: 'answers' }] })).toEqual([
    'app/x/one',
    'app/six.mjs',
    'data/eight.json',
  ])
})

test('lint names what sealing would not take, and counts the cells', async () => {
  await using bench = await openBench()
  await bench.write('oracle/right', '42\n')
  await symlink('/etc/passwd', path.join(bench.contest, 'oracle/link'))
  const outputs = { required: ['src/', './answer', 'src/**/*.ts', 'plain'], maxFiles: 1, maxBytes: '2B' }
  await writeContest(bench, { one: 'true', two: 'true' }, { a: 'true', b: 'true', c: 'true' }, { oracle: 'oracle', outputs })
  const { findings, cells } = await lintContest(bench.contest, bench.deps)
  expect(cells).toEqual({ participants: 2, checks: 0, judges: 3 })
  expect(findings.map(({ level, key, message }) => `${level}: ${key}: ${message}`)).toEqual([
    'fault: outputs.required[0]: src/ is a directory, and only files are sealed: write src/**',
    'fault: outputs.required[1]: no sealed file is called ./answer: write answer',
    'fault: oracle: has 3 B, and outputs.maxBytes lets a submission have 2 B',
    'advice: oracle: has what sealing leaves out (links, FIFOs and the like): link',
  ])
})
