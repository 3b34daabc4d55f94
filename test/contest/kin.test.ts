import { expect, test } from 'vitest'
import { findAdapter } from '../../src/adapters/find-adapter.ts'
import { parseContest } from '../../src/contest/config/brief.ts'
import { keptApart, kinOf } from '../../src/contest/config/sense.ts'
import { dealLabels } from '../../src/contest/judging/labels.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../support/contest-bench.ts'

const contest = (judge: object, policy: string, ...others: object[]) =>
  JSON.stringify({
    schemaVersion: 1,
    name: 'trial',
    participants: [
      { name: 'one', agent: 'claude' },
      { name: 'two', agent: 'opencode', model: 'openai/gpt-5' },
    ],
    judges: [{ name: 'judge', ...judge }, ...others.map((each) => ({ name: 'other', ...each }))],
    judging: { policy },
    rubric: { dimensions: [{ id: 'quality', description: 'How good it is.' }] },
  })

const gemini = { agent: 'gemini' }

test.each([
  [{ agent: 'claude' }, 'one', 'anthropic'],
  [{ agent: 'opencode', model: 'anthropic/claude-sonnet-4-5' }, 'one', 'anthropic'],
  [{ agent: 'opencode', model: 'openrouter/anthropic/claude-sonnet-4-5' }, 'one', 'anthropic'],
  [{ agent: 'codex' }, 'two', 'openai'],
  [{ agent: 'command', command: ['true'], family: 'anthropic' }, 'one', 'anthropic'],
  [{ agent: 'opencode', families: ['google', 'openai'] }, 'two', 'openai'],
])('%j is kept from the work of its family, by agent and by model', (judge, participant, family) => {
  const alone = { judge: 'judge', participant, family }
  expect(kinOf(parseContest(contest(judge, 'warn')), findAdapter)).toEqual([alone])
  expect(() => parseContest(contest(judge, 'distinct-family'))).toThrow(
    `has no judge: ${participant} and every judge are of the family ${family}; add a judge of another family`,
  )
  const config = parseContest(contest(judge, 'distinct-family', gemini))
  const isApart = keptApart(config, findAdapter)
  expect([isApart('judge', participant), isApart('judge', participant === 'one' ? 'two' : 'one'), isApart('other', participant)]).toEqual([
    true,
    false,
    false,
  ])
  expect(keptApart(parseContest(contest(judge, 'warn')), findAdapter)('judge', participant)).toBe(false)
})

test.each([
  gemini,
  { agent: 'opencode', model: 'xai/grok-4' },
  { agent: 'command', command: ['true'] },
  { agent: 'opencode', family: 'none' },
  { agent: 'claude', family: 'acme' },
])('%j is of no family of a participant', (judge) => {
  expect(kinOf(parseContest(contest(judge, 'distinct-family')), findAdapter)).toEqual([])
})

test.each([{ agent: 'opencode' }, { agent: 'opencode', model: 'local/some-model' }])('the family of %j is asked for', (judge) => {
  expect(() => parseContest(contest(judge, 'distinct-family'))).toThrow(
    'judges[0].family is missing: the vendor of the model of judge is not known, so a judge of the same vendor could score it',
  )
  expect(() => parseContest(contest(judge, 'warn'))).not.toThrow()
})

test.each([
  [{ agent: 'opencode', family: 'various' }, 'family must be the name of a vendor'],
  [{ agent: 'opencode', family: 'x', families: ['y'] }, 'families and family do not go together'],
])('%j is refused', (judge, message) => {
  expect(() => parseContest(contest(judge, 'distinct-family'))).toThrow(message)
})

test('every vendor is a family', () => {
  const two = { agent: 'opencode', model: 'deepseek/deepseek-r2' }
  const text = JSON.parse(contest({ agent: 'opencode', model: 'openrouter/deepseek/deepseek-chat' }, 'warn'))
  text.participants.push({ name: 'three', ...two })
  expect(kinOf(parseContest(JSON.stringify(text)), findAdapter)).toEqual([{ judge: 'judge', participant: 'three', family: 'deepseek' }])
})

test('a judge sees no submission that it is kept from, and one that may see none gets no task', () => {
  const submissions = ['a', 'b', 'c', 'd'].map((participant) => ({ participant, tree: participant }))
  const isApart = (judge: string, participant: string): boolean => judge === 'idle' || judge === participant
  const { tasks } = dealLabels({ judging: 1, round: 1 }, submissions, ['a', 'b', 'c', 'd', 'idle', 'free'], {
    mode: 'rubric',
    repeats: 1,
    controls: false,
    isApart,
  })
  expect(tasks.map(({ judge }) => judge).toSorted()).toEqual(['a', 'b', 'c', 'd', 'free'])
  for (const { judge, labels, order } of tasks) {
    expect(Object.values(labels).toSorted()).toEqual(['a', 'b', 'c', 'd'].filter((each) => each !== judge))
    expect(order).toEqual(judge === 'free' ? ['A', 'B', 'C', 'D'] : ['A', 'B', 'C'])
  }
  const first = submissions.map(({ participant }) => tasks.filter(({ labels }) => labels['A'] === participant).length)
  expect(Math.max(...first) - Math.min(...first)).toBeLessThanOrEqual(2)
})

test('a judge is not shown the work of its own family, others score it, and the report says so', async () => {
  await using bench = await openBench()
  const participants = { one: 'echo 1 > a', two: 'echo 2 > a', three: 'echo 3 > a' }
  // The content of the submissions in order, so that the review shows which ones the judge saw.
  const judge = `cd /contest/submissions; cat */a | sort | tr -d '\\n' > /contest/outbox/review.md; ${evenJudge(3)}`
  const judges = { kin: judge, free: judge, other: judge, idle: 'false' }
  const families: Record<string, string[]> = { one: ['acme'], two: ['bolt'], three: ['bolt'], kin: ['acme'], idle: ['acme', 'bolt'] }
  const role = (name: string, line: string) => ({
    name,
    agent: 'command',
    command: ['sh', '-c', line],
    families: families[name] ?? ['none'],
  })
  const all = (lines: Readonly<Record<string, string>>) => Object.entries(lines).map(([name, line]) => role(name, line))
  await writeContest(bench, participants, judges, { participants: all(participants), judges: all(judges) })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.judges.map(({ name, state, review }) => [name, state, review])).toEqual([
    ['kin', 'scored', '23'],
    ['free', 'scored', '123'],
    ['other', 'scored', '123'],
    ['idle', 'pending', null],
  ])
  expect(Object.values(summary.judges[0]?.labels ?? {}).toSorted()).toEqual(['three', 'two'])
  const judgesOf = (name: string) => summary.ranking.find((each) => each.name === name)?.judgements.map((each) => each.judge)
  expect([judgesOf('one'), judgesOf('two')]).toEqual([
    ['free', 'other'],
    ['kin', 'free', 'other'],
  ])
  expect(summary.notes).toEqual(
    expect.arrayContaining([
      'idle judged nothing, because every participant is of its family.',
      'No judge scored its own family, so not all have the same judges. Scores account for how lenient each judge is.',
      'Scores are the mean over 3 judges.',
    ]),
  )
  expect(summary.unfinishedJudging).toBeNull()
})
