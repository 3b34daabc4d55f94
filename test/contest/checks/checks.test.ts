import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CheckScene, runCheck, type Subject } from '../../../src/contest/checks/check.ts'
import { readReward } from '../../../src/contest/checks/reward.ts'
import { settledChecks } from '../../../src/contest/checks/settled.ts'
import { parseContest, readContest } from '../../../src/contest/config/brief.ts'
import { summarise } from '../../../src/contest/report/summarise.ts'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { type CheckedWork, type CheckResult, checkResultSchema } from '../../../src/contest/state/check-result.ts'
import { type Bench, copyExample, openBench, writeContest } from '../../support/contest-bench.ts'
import { findings } from '../../support/contest-findings.ts'
import { temporary } from '../../support/temporary.ts'

const of = (files: Readonly<Record<string, string>>): Subject => ({
  name: 'tried',
  async layDown(directory) {
    await mkdir(directory, { recursive: true })
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(directory, name), content, { mode: 0o755 })
  },
})

/** Runs the checks of a contest on one submission. */
async function checked(bench: Bench, subject: Subject): Promise<readonly CheckResult[]> {
  const contest = await readContest(bench.contest)
  const scene: CheckScene = { contest, deps: bench.deps }
  const results: CheckResult[] = []
  for (const check of contest.config.checks) results.push(await runCheck(scene, subject, check, path.join(bench.root, 'work', check.name)))
  return results.map((each) => checkResultSchema.parse(each))
}

/** Writes a contest of one participant with these checks. */
async function withChecks(bench: Bench, ...checks: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  await bench.write('answers/right', '42\n')
  await bench.write('questions/asked', 'six times seven\n')
  await writeContest(bench, { one: 'printf 42 > answer' }, {}, { checks: checks.map((each, index) => ({ name: `c${index}`, ...each })) })
}

const verify = 'cmp /result/answer /check/right'
const both = { run: 'sh ./program > /result/answer', verify, files: 'answers' }

describe('run and verify', () => {
  test.each(['#!/usr/bin/env node\nprocess.exit(0)\n', '#!/bin/sh\nexit 0\n'])(
    'a program of only %j passes no check of the demo',
    async (line) => {
      await using bench = await openBench()
      await copyExample('hello', bench.contest)
      const results = await checked(bench, of({ summarise: line, 'summary.json': '{}' }))
      expect(results.map(({ result }) => result)).toEqual(['failed', 'failed', 'failed', 'failed'])
    },
  )

  test('the demo’s careful work passes all of them', async () => {
    await using bench = await openBench()
    await copyExample('hello', bench.contest)
    const summarise = await readFile(path.join(bench.contest, 'participants/careful/summarise.mjs'), 'utf8')
    const results = await checked(bench, of({ summarise }))
    expect(results.map(({ result, why }) => [result, why])).toEqual(Array.from({ length: 4 }, () => ['passed', null]))
  })

  test('the program that runs sees no answers, and the one that decides sees only what the submission left', async () => {
    await using bench = await openBench()
    await withChecks(
      bench,
      {
        ...both,
        run: 'ls /check > /result/answer 2>&1; cat /inputs/asked > /result/seen',
        verify: '! grep -q right /result/answer && grep -q seven /result/seen',
        inputs: 'questions',
      },
      {
        ...both,
        run: 'echo x > /result/x',
        verify: 'test ! -e /submission && test ! -e ../submission && test -e /result/x && ! touch /result/y',
      },
    )
    expect((await checked(bench, of({ program: '' }))).map(({ result, output }) => [result, output])).toEqual([
      ['passed', expect.any(String)],
      ['passed', expect.any(String)],
    ])
  })

  test('it gets how the run ended, and decides on that', async () => {
    await using bench = await openBench()
    await withChecks(
      bench,
      { run: 'exit 7', verify: 'test "$PADDOCK_RUN_EXIT" = 7' },
      { run: 'exit 7', verify: 'test "$PADDOCK_RUN_EXIT" = 0' },
    )
    expect((await checked(bench, of({ program: '' }))).map(({ result, why }) => [result, why])).toEqual([
      ['passed', null],
      ['failed', 'exit code 1 (the run ended with 7)'],
    ])
  })

  test('links out of /result are not followed, and what is too much is refused', async () => {
    await using bench = await openBench()
    await withChecks(
      bench,
      { run: 'ln -s /etc/passwd /result/answer; mkfifo /result/pipe', verify: 'test -z "$(ls -A /result)"' },
      { run: 'i=0; while [ $i -lt 1001 ]; do : > /result/$i; i=$((i+1)); done', verify: 'true' },
    )
    const [links, many] = await checked(bench, of({ program: '' }))
    expect(links?.result).toBe('passed')
    expect(many?.why).toMatch(/^what it left in \/result was not accepted: .*1,?000 files/)
  })
})

test('a check in the submission’s own cell is fooled by what that runs', async () => {
  await using bench = await openBench()
  await bench.write(
    'answers/check.mjs',
    "const { default: answer } = await import('/submission/answer.mjs')\nif (answer !== 42) process.exit(1)\n",
  )
  await withChecks(bench, { command: ['node', '/check/check.mjs'], files: 'answers' })
  expect((await checked(bench, of({ 'answer.mjs': 'export default 41\n' })))[0]?.result).toBe('failed')
  // This is why `run` and `verify` exist.
  expect((await checked(bench, of({ 'answer.mjs': 'process.exit(0)\n' })))[0]?.result).toBe('passed')
})

describe('a result by number', () => {
  test('counts by its share, and an invalid one fails the check', async () => {
    await using bench = await openBench()
    const rewarded = (text: string, name = 'reward.txt') => ({ run: 'true', verify: `printf '%s' '${text}' > /reward/${name}` })
    await withChecks(bench, rewarded('0.25'), rewarded('{"reward":1}', 'reward.json'), rewarded('1.5'), rewarded('NaN'), {
      run: 'true',
      verify: 'echo 1 > /reward/reward.txt; exit 3',
    })
    const results = await checked(bench, of({ program: '' }))
    expect(results.map(({ result, reward, why }) => [result, reward, why])).toEqual([
      ['failed', 0.25, 'reward 0.25'],
      ['passed', 1, null],
      ['failed', 0, 'reward.txt is not a number from 0 to 1: 1.5'],
      ['failed', 0, 'reward.txt is not a number from 0 to 1: NaN'],
      ['failed', 0, 'exit code 3'],
    ])
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.ranking[0]?.score).toBe(25)
  })

  test.each([
    ['reward.txt', ' 0.5\n', { kind: 'given', reward: 0.5 }],
    ['reward.txt', '', { kind: 'bad', why: 'reward.txt is not a number from 0 to 1: ' }],
    ['reward.txt', '1e0', { kind: 'bad', why: 'reward.txt is not a number from 0 to 1: 1e0' }],
    ['reward.json', '{"reward":0.5,"why":"x"}', { kind: 'bad', why: 'reward.json is not a number from 0 to 1: {"reward":0.5,"why":"x"}' }],
    ['reward.json', '{"reward":"1"}', { kind: 'bad', why: 'reward.json is not a number from 0 to 1: {"reward":"1"}' }],
    ['other', '1', { kind: 'none' }],
  ])('%s with %j', async (name, text, reward) => {
    await using at = await temporary()
    await mkdir(at.at('reward'))
    await writeFile(at.at('reward', name), text)
    expect(await readReward(at.at('reward'))).toEqual(reward)
  })
})

describe('repeats', () => {
  test('find a flaky check: the worst of its runs counts, and it says how often it passed', async () => {
    await using bench = await openBench()
    // Each run is a separate cell, so runs can only differ by chance or time.
    const chance = 'test $(( $(date +%N | tail -c 4 | sed "s/^0*//;s/^$/0/") % 2 )) = 0'
    await withChecks(bench, { run: 'true', verify: chance, repeats: 16 }, { run: 'true', verify: 'true', repeats: 3 })
    const [flaky, steady] = await checked(bench, of({ program: '' }))
    expect(flaky).toMatchObject({
      result: 'failed',
      isFlaky: true,
      why: expect.stringMatching(/^it passed \d+ of 16 runs on the same work; once: exit code 1$/) as string,
    })
    expect(flaky?.reward).toBe(0)
    expect(steady).toMatchObject({ result: 'passed', reward: 1 })
    expect(steady?.isFlaky).toBeUndefined()
  })

  test('a check that is flaky on all work does not count, and on some its worst run counts', () => {
    const result = (isFlaky: boolean): CheckResult => ({
      name: 'c',
      weight: 1,
      result: 'failed',
      why: 'x',
      exitCode: 1,
      reward: 0.5,
      isFlaky,
      durationMs: 1,
      output: '',
    })
    const work = (...checks: CheckResult[]): CheckedWork => ({ schemaVersion: 2, checks, reference: [] })
    const settled = (...flaky: boolean[]) =>
      [...settledChecks(new Map(flaky.map((each, index) => [String(index), work(result(each))]))).values()]
        .flat()
        .map((each) => each.result)
    expect(settled(true, true)).toEqual(['could-not-run', 'could-not-run'])
    expect(settled(true, false)).toEqual(['failed', 'failed'])
    const all = findings({ j: { one: 3 } }, 'fine', { min: 1, max: 5 }, ['one', 'two'])
    const notes = (two: boolean): readonly string[] => {
      const checks = settledChecks(
        new Map([
          ['one', work(result(true))],
          ['two', work(result(two))],
        ]),
      )
      return summarise({ ...all, checks }, new Date(0)).notes
    }
    expect(notes(true)).toContain('Check c is flaky and does not count: x.')
    expect(notes(false)).toContain('Check c is flaky on the submission of one, so its worst run counts: x.')
  })
})

test.each([
  [{ run: 'x' }, 'checks[0].verify is missing: a check has run and verify, or command'],
  [{}, 'checks[0].run is missing: a check has run and verify, or command'],
  [{ command: 'x', verify: 'y' }, 'checks[0].command does not go with run and verify; keep one way'],
])('%j is refused', (check, problem) => {
  const config = {
    schemaVersion: 1,
    name: 'x',
    participants: [{ name: 'a', agent: 'command', command: ['x'] }],
    checks: [{ name: 'c', ...check }],
  }
  expect(() => parseContest(JSON.stringify(config))).toThrow(problem)
})
