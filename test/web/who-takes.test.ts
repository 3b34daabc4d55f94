import { describe, expect, test } from 'vitest'
import type { Doing } from '../../web/pages/fleet/activity-text.ts'
import { pressed, sorted, sortingOf } from '../../web/pages/fleet/sorting.ts'
import { whoTakes } from '../../web/pages/fleet/who-takes.ts'

const agent = (name: string, more: Partial<Doing> = {}): Doing => ({
  ...{ id: `a-${name}`, name, agent: 'claude', model: null, labels: [], state: 'idle', running: 0, queued: 0, isFree: true, problem: null },
  ...{ now: null, last: null, recent: [], spentUsd: 0, budgetUsd: null },
  ...more,
})
const busy = { state: 'working', isFree: false } as const
const stopped = { state: 'stopped', isFree: false } as const

describe('who takes a job', () => {
  const text = (agents: readonly Doing[], name = '', labels: readonly string[] = []) => {
    const { text, next } = whoTakes(agents, name, labels)
    return next === null ? text : `${text} ${next}`
  }

  test.each([
    ['the oldest of those that are free', [agent('old', busy), agent('mid'), agent('new')], [], '2 free agents match. mid'],
    ['only those with all labels', [agent('a'), agent('b', { labels: ['x', 'y'] })], ['x', 'y'], '1 free agent matches. b'],
    ['no agent has the labels', [agent('a', { labels: ['x'] })], ['x', 'y'], 'No agent has the labels x and y. The job waits.'],
    ['all that fit are stopped', [agent('a', stopped), agent('b', stopped)], [], 'All 2 agents that match are stopped. The job waits.'],
    ['the only one is stopped', [agent('a', stopped)], [], 'Only a matches, and it is stopped. The job waits.'],
    ['all are at work', [agent('a', busy), agent('b', busy), agent('c', stopped)], [], '2 agents match, and none is free. The job waits.'],
    [
      'the only one has spent its budget',
      [agent('a', { isFree: false, state: 'limited', problem: 'Its budget is used up until tomorrow.' })],
      [],
      'Only a matches: Its budget is used up until tomorrow. The job waits.',
    ],
  ] as const)('%s', (_what, agents, labels, said) => {
    expect(text(agents, '', labels)).toBe(said)
  })

  test('of a named agent only what keeps it is reported', () => {
    const agents = [agent('free'), agent('off', stopped), agent('full', { ...busy, queued: 3 }), agent('busy', busy)]
    expect(agents.map(({ name }) => text(agents, name))).toEqual([
      '',
      'It is stopped. The job waits.',
      '3 jobs are ahead of it. The job waits.',
      'It is busy. The job waits.',
    ])
  })
})

describe('sorting of a fleet', () => {
  const agents = [agent('b', { queued: 1, spentUsd: 3 }), agent('c', { state: 'waiting', queued: 5 }), agent('a', { spentUsd: 3 })]
  const names = (sort: string): string =>
    sorted(agents, sortingOf(sort))
      .map(({ name }) => name)
      .join('')

  test('an address names a column, with a minus the other way round; anything else is by state', () => {
    const addresses = ['', 'state', '-state', 'agent', '-agent', 'queue', '-queue', 'today', 'nonsense', 'toString']
    expect(addresses.map(names)).toEqual(['cab', 'cab', 'abc', 'abc', 'cba', 'cba', 'abc', 'abc', 'cab', 'cab'])
  })

  test('a press sorts by a column, and a second press turns it round', () => {
    expect(pressed('queue', sortingOf(''))).toBe('queue')
    expect(pressed('queue', sortingOf('queue'))).toBe('-queue')
    expect(pressed('queue', sortingOf('-queue'))).toBe('queue')
    expect(pressed('state', sortingOf('state'))).toBe('-state')
  })
})
