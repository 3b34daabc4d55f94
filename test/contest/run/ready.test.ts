import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { newContest } from '../../../src/contest/config/new-contest.ts'
import { refineContest } from '../../../src/contest/iterate/refine.ts'
import { contestPlan } from '../../../src/contest/stages/plan-contest.ts'
import { judgeContest, runContest } from '../../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../../support/contest-bench.ts'
import { putLogin } from '../../support/host-login.ts'

const installation = (program: string) => ({ program, mounts: [], pathEntries: [], version: null })
const login = { access: 'access-1', refresh: 'refresh-1', id: '', expiresAt: new Date(Date.now() + 48 * 3_600_000) }

test('6: all agents, logins and variables that are missing are reported at once, before anything starts', async () => {
  await using bench = await openBench({
    installation: async (adapter) => (adapter.name === 'claude' ? null : installation(`/opt/${adapter.name}`)),
  })
  await writeContest(
    bench,
    {},
    {},
    {
      participants: [
        { name: 'a', agent: 'claude' },
        { name: 'b', agent: 'codex' },
        { name: 'c', agent: 'command', command: ['true'], env: ['NOT_SET_ANYWHERE'] },
      ],
      judges: [{ name: 'd', agent: 'gemini' }],
    },
  )
  await expect(runContest(bench.contest, bench.deps)).rejects.toMatchObject({
    code: 'AGENT_NOT_INSTALLED',
    exitCode: 127,
    message: expect.stringMatching(
      new RegExp(
        [
          '^Nothing was started, for 5 reasons:',
          'participants\\[0\\]: claude is not installed on this machine\\. .+',
          'participants\\[0\\]: claude is not logged in on this machine\\. .+',
          'participants\\[1\\]: codex is not logged in on this machine\\. .+',
          'participants\\[2\\]\\.env\\[0\\]: NOT_SET_ANYWHERE is not set in your environment\\. .+',
          'judges\\[0\\]: gemini is not logged in on this machine\\. .+$',
        ].join('\\n  '),
      ),
    ),
  })
  expect(bench.events).toEqual([])
  expect(existsSync(new Layout(bench.contest).rounds)).toBe(false)
})

test('6: the untouched template is refused, with the files to edit', async () => {
  await using bench = await openBench()
  await newContest(`${bench.contest}/mine`)
  const untouched = {
    code: 'BAD_INPUT',
    exitCode: 2,
    message: 'BRIEF.md and JUDGE_BRIEF.md are still as "paddock contest new" wrote them.',
    hint: `Edit ${bench.contest}/mine/BRIEF.md and ${bench.contest}/mine/JUDGE_BRIEF.md, or delete JUDGE_BRIEF.md`,
  }
  await expect(runContest(`${bench.contest}/mine`, bench.deps)).rejects.toMatchObject(untouched)
  await expect(judgeContest(`${bench.contest}/mine`, bench.deps)).rejects.toMatchObject(untouched)
  await bench.write('mine/BRIEF.md', 'Write answer.txt.\n')
  await expect(runContest(`${bench.contest}/mine`, bench.deps)).rejects.toMatchObject({
    message: 'JUDGE_BRIEF.md is still as "paddock contest new" wrote it.',
    hint: `Edit ${bench.contest}/mine/JUDGE_BRIEF.md, or delete it`,
  })
  expect(readdirSync(`${bench.contest}/mine`).sort()).toEqual(['BRIEF.md', 'JUDGE_BRIEF.md', 'contest.yaml', 'raw'])
})

test('6: a dry run says who would run where, with whose login, and starts and writes nothing', async () => {
  await using bench = await openBench({
    env: { OPENAI_API_KEY: 'sk-test' },
    installation: async (adapter) => installation(`/opt/${adapter.name}`),
  })
  putLogin(bench.deps.paths.userHome, 'claude', login)
  await writeContest(
    bench,
    {},
    { even: evenJudge(3) },
    {
      participants: [
        { name: 'a', agent: 'claude', model: 'small' },
        { name: 'b', agent: 'codex', env: ['OPENAI_API_KEY'] },
        { name: 'c', agent: 'command', command: ['sh', '-c', 'true'] },
      ],
    },
  )
  const before = readdirSync(bench.contest)
  const plan = await contestPlan(bench.contest, bench.deps, {})
  expect(plan).toMatchObject({
    contest: 'trial',
    round: 1,
    participants: [
      { name: 'a', agent: 'claude', model: 'small', program: '/opt/claude', login: 'your claude login' },
      { name: 'b', agent: 'codex', program: '/opt/codex', login: '$OPENAI_API_KEY' },
      { name: 'c', agent: 'command', program: 'sh', login: null, reaches: null },
    ],
    judges: [{ name: 'even', agent: 'command', program: 'sh', login: null, reaches: null }],
  })
  expect(plan.participants[0]?.reaches).toContain('api.anthropic.com')
  expect([readdirSync(bench.contest), bench.events]).toEqual([before, []])
})

test('6: a dry run names only those who would be run', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'echo 1 > a', two: 'exec no-such-program' }, { judge: evenJudge(3) })
  await runContest(bench.contest, bench.deps)
  const names = async (retry: boolean): Promise<string[]> => {
    const { participants, judges } = await contestPlan(bench.contest, bench.deps, { retry })
    return [...participants, ...judges].map((each) => each.name)
  }
  expect(await names(false)).toEqual([])
  expect(await names(true)).toEqual(['two', 'judge'])
})

test('a dry run after an interrupted refine names only those who are run in that round', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'echo 1 > a', two: 'echo 2 > a' }, { judge: evenJudge(3) })
  await runContest(bench.contest, bench.deps)
  await refineContest(bench.contest, bench.deps, { only: ['one'] })
  const status = JSON.parse(readFileSync(new Layout(bench.contest).status, 'utf8'))
  const pending = { state: 'pending', attempt: 0, outcome: null, durationMs: null, usage: null, costUsd: null }
  await bench.write('status.json', JSON.stringify({ ...status, participants: { one: pending, two: pending } }))
  const { participants, judges, cells } = await contestPlan(bench.contest, bench.deps, {})
  expect([...participants, ...judges].map((each) => each.name)).toEqual(['one', 'judge'])
  expect(cells).toEqual({ participants: 1, checks: 0, judges: 1 })
})

test('a dry run counts cells, and expects what it cost before', async () => {
  await using bench = await openBench()
  const checks = [
    { name: 'a', command: 'true' },
    { name: 'b', run: 'true', verify: 'true', repeats: 3 },
  ]
  const participants = ['one', 'two'].map((name) => ({ name, agent: 'command', family: 'openai', command: ['sh', '-c', 'echo 1 > a'] }))
  await writeContest(bench, {}, { even: evenJudge(3), odd: evenJudge(2) }, { checks, participants, judging: { mode: 'both' } })
  expect(await contestPlan(bench.contest, bench.deps, { parallel: 3 })).toMatchObject({
    cells: { participants: 2, checks: 14, judges: 6 },
    parallel: 3,
    judges: [{ name: 'even', cells: 3, costUsd: 0 }, { name: 'odd' }],
    costUsd: 0,
    costUnknown: ['one', 'two'],
  })
  await runContest(bench.contest, bench.deps)
  expect(await contestPlan(bench.contest, bench.deps, {})).toMatchObject({
    cells: { participants: 0, checks: 0, judges: 0 },
    costUnknown: [],
  })
  const layout = new Layout(bench.contest)
  const status = JSON.parse(readFileSync(layout.status, 'utf8'))
  Object.assign(status.participants.one, { attempt: 2, costUsd: 0.5, earlierCostUsd: 0.25 })
  await bench.write('status.json', JSON.stringify(status))
  expect(await contestPlan(bench.contest, bench.deps, { fresh: true })).toMatchObject({
    round: 2,
    cells: { participants: 2, checks: 14, judges: 6 },
    participants: [
      { name: 'one', costUsd: 0.375 },
      { name: 'two', costUsd: null },
    ],
    costUsd: 0.375,
    costUnknown: ['two'],
  })
})
