import { expect, test } from 'vitest'
import type { TaskStatus } from '../../../src/contest/state/contest-state.ts'
import { mustAsk } from '../../../src/contest/state/counted-judging.ts'
import { standingOf, standings } from '../../../src/contest/state/judge-state.ts'

type State = TaskStatus['state']
const ended = (kind: 'ran' | 'cancelled', message: string) => ({ kind, exitCode: 0, message, hint: null, resetsAt: null })

const tasks = (...states: State[]): TaskStatus[] =>
  states.map((state, at) => ({
    ...{ judge: 'j', id: String(at + 1), state, attempt: 1, usage: null, durationMs: null, costUsd: null },
    outcome: state === 'scored' || state === 'failed' ? ended('ran', `${state} ${at + 1}`) : null,
  }))

test.each<[State, ...State[]]>([
  ['pending'],
  ['pending', 'pending', 'pending'],
  ['running', 'pending', 'running'],
  ['running', 'scored', 'pending'],
  ['running', 'failed', 'pending'],
  ['running', 'failed', 'running', 'scored'],
  ['scored', 'scored', 'scored'],
  ['failed', 'scored', 'failed'],
  ['failed', 'failed', 'failed'],
])('a judge is %s if its tasks are: %s %s %s', (expected, ...states) => {
  expect(standingOf('j', tasks(...states)).state).toBe(expected)
})

test('a judge has the outcome of its first failed task, and of its last one if none failed', () => {
  const told = (...states: State[]) => standingOf('j', tasks(...states)).outcome?.message
  expect(told('scored', 'failed', 'failed')).toBe('failed 2')
  expect(told('scored', 'scored', 'pending')).toBe('scored 2')
  expect(told('pending')).toBeUndefined()
})

test('attempts, times, tokens and costs of a judge are the sums over its tasks', () => {
  const [first, second, third] = tasks('scored', 'scored', 'scored') as [TaskStatus, TaskStatus, TaskStatus]
  const usage = { input: 10, output: 2, cachedInput: 1, model: 'm' }
  const all = [
    { ...first, durationMs: 5, costUsd: 0.5, usage, earlierCostUsd: 1 },
    { ...second, attempt: 3, durationMs: 7, costUsd: 0.25, usage },
    third,
    { ...third, judge: 'other', costUsd: 9 },
  ]
  expect(standingOf('j', all)).toMatchObject({
    ...{ attempt: 5, durationMs: 12, costUsd: 0.75, earlierCostUsd: 1 },
    usage: { input: 20, output: 4, cachedInput: 2, model: 'm' },
  })
  expect(Object.entries(standings(all)).map(([name, each]) => [name, each.costUsd])).toEqual([
    ['j', 0.75],
    ['other', 9],
  ])
})

test('a judge is asked again while one of its tasks is open, cancelled, or failed and asked for again', () => {
  expect(mustAsk('j', [], false)).toBe(true)
  expect(mustAsk('j', tasks('scored', 'pending'), false)).toBe(true)
  expect(mustAsk('j', tasks('scored', 'scored'), true)).toBe(false)
  const failed = tasks('scored', 'failed')
  expect([mustAsk('j', failed, false), mustAsk('j', failed, true)]).toEqual([false, true])
  const stopped = failed.map((each) => (each.state === 'failed' ? { ...each, outcome: ended('cancelled', '') } : each))
  expect(mustAsk('j', stopped, false)).toBe(true)
})
