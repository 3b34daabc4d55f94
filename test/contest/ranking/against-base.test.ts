import { describe, expect, test } from 'vitest'
import { againstBase } from '../../../src/contest/ranking/against-base.ts'
import { studentCritical } from '../../../src/contest/ranking/probability/student.ts'
import { leaderboard } from '../../../src/contest/report/contest-leaderboard.ts'
import { reportPage } from '../../../src/contest/report/page/report-page.ts'
import { summarise } from '../../../src/contest/report/summarise.ts'
import { suiteLeaderboard } from '../../../src/contest/suite/report/suite-leaderboard.ts'
import { suitePage } from '../../../src/contest/suite/report/suite-page.ts'
import { findings } from '../../support/contest-findings.ts'
import { type MadeContest, summaryOf } from '../../support/suite-findings.ts'

const command = ['x']
const names = ['other', 'a-base', 'a-good', 'a-same']
const participants = [
  { name: 'other', agent: 'command', command },
  { name: 'a', agent: 'command', command, variants: { base: {}, good: {}, same: {} } },
]

/** Contests of a suite, in which the variants are by so many points better than their base, on each brief. */
function suiteOf(good: readonly number[], same: readonly number[], more: Partial<MadeContest> = {}) {
  const contests = good.map((better, at): MadeContest => {
    const level = 40 + ((at * 7) % 20)
    const own = { other: level - 3, 'a-base': level, 'a-good': level + better, 'a-same': level + (same[at] ?? 0) }
    return { scores: { j: own, k: own, l: own }, ...more }
  })
  return summaryOf({ names, contests, contest: { participants } })
}

describe('variants of a suite', () => {
  const good = [12, 9, 14, 10, 13, 8, 11, 12]
  const same = [5, -6, 2, 1, -3, 4, -5, 3]

  test('are compared with the first one by the differences in each brief', () => {
    const summary = suiteOf(good, same, { costUsd: { 'a-base': 1, 'a-good': 1.5, 'a-same': 2, other: 1 } })
    const [first, second] = summary.variants
    expect(summary.variants).toHaveLength(2)
    expect(first).toMatchObject({ of: 'a', name: 'a-good', base: 'a-base', unit: 'points', isDifferent: true, costRatio: 1.5 })
    for (const [found, values] of [
      [first, good],
      [second, same],
    ] as const) {
      const mean = values.reduce((sum, each) => sum + each, 0) / values.length
      const sd = Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1))
      const half = (studentCritical(0.05, values.length - 1) * sd) / Math.sqrt(values.length)
      expect(found?.difference).toBeCloseTo(mean, 1)
      expect(found?.interval?.low).toBeCloseTo(mean - half, 1)
      expect(found?.interval?.high).toBeCloseTo(mean + half, 1)
    }
    expect(first?.sentence).toBe('a-good scores 11.1 points more than a-base over 8 briefs, at 1.50 times its cost.')
    const finds = second?.finds?.toFixed(1)
    expect(second?.sentence).toBe(
      `No difference between a-same and a-base can be seen with 8 briefs. They would show one of ${finds} points in 80 of 100 cases.`,
    )
    expect(Number(finds)).toBeGreaterThan(second?.interval?.high ?? 100)
  })

  test('are in the report and on the page', () => {
    const summary = suiteOf(good, same)
    expect(suiteLeaderboard(summary)).toContain(
      '## Variants and their bases\n\n| Variant | Sets | Base | Difference | 95% interval | Cost | Result |',
    )
    expect(suiteLeaderboard(summary)).toContain('| a-good | – | a-base | +11.1 | ')
    expect(suitePage(summary)).toContain('<li>a-good scores 11.1 points more than a-base over 8 briefs')
    const without = summaryOf({ names: ['x', 'y'], contests: [{ scores: { j: { x: 1, y: 2 } } }] })
    expect(without.variants).toEqual([])
    expect(suitePage(without)).not.toContain('Variants and their bases')
  })

  test('need three briefs', () => {
    expect(suiteOf([5, 6], [1, 2]).variants.map(({ sentence, difference }) => ({ sentence, difference }))).toEqual([
      { sentence: 'It takes at least three briefs to compare a-good with a-base; there are 2.', difference: 5.5 },
      { sentence: 'It takes at least three briefs to compare a-same with a-base; there are 2.', difference: 1.5 },
    ])
  })

  test('are compared by checks too', () => {
    const contests = Array.from({ length: 8 }, (_, at): MadeContest => {
      const passed = { other: true, 'a-base': at % 4 === 0, 'a-good': at !== 1, 'a-same': at % 4 === 1 }
      return { passed, scores: {} }
    })
    const summary = summaryOf({ names, judges: [], contests, contest: { participants, ranking: 'checks' } })
    expect(summary.variants.map(({ name, difference }) => ({ name, difference }))).toEqual([
      { name: 'a-good', difference: 62.5 },
      { name: 'a-same', difference: 0 },
    ])
    // Without the bounds of a score, it would be above 100.
    expect(summary.variants[0]?.interval?.high).toBe(100)
  })

  test('are compared by pairs', () => {
    const contests = Array.from({ length: 8 }, (_, at): MadeContest => {
      const pairs = [
        ['a-good', 'a-base'],
        ['a-good', 'other'],
        ['a-base', 'other'],
        ['a-same', 'other'],
        at % 2 === 0 ? (['a-same', 'a-base'] as const) : (['a-base', 'a-same'] as const),
        at % 3 === 0 ? (['a-base', 'a-good'] as const) : (['a-good', 'a-same'] as const),
      ] as const
      return { pairs }
    })
    const [good] = summaryOf({ names, contests, contest: { participants, judging: { mode: 'pairwise' } } }).variants
    expect(good).toMatchObject({ unit: 'log odds', name: 'a-good' })
    expect(good?.sentence).toMatch(/a-good.*a-base.* 8 briefs/)
  })
})

test('differences that chance explains together are not reported (Holm)', () => {
  const difference = (value: number) => ({ value, error: 1, degrees: 20 })
  const values: Record<string, number> = { x: 2.2, y: 2.1, z: 4 }
  const found = (variants: readonly string[]) =>
    againstBase(
      ['base', ...variants].map((name) => ({ name, variant: { of: 'a', name, sets: [] } })),
      {
        unit: 'points',
        difference: (first) => difference(values[first] ?? 0),
        verdict: { clusters: { by: 'briefs', count: 21 } } as never,
      },
      () => null,
    ).map(({ name, isDifferent }) => [name, isDifferent])
  expect(found(['x'])).toEqual([['x', true]])
  expect(found(['x', 'y', 'z'])).toEqual([
    ['x', false],
    ['y', false],
    ['z', true],
  ])
})

test('a contest compares its variants by judges', () => {
  const scores = { j: { one: 2, two: 4, three: 3 }, k: { one: 1, two: 3, three: 3 }, l: { one: 2, two: 5, three: 1 } }
  const { config, ...rest } = findings(scores)
  const variants = config.participants.map((each) => ({ ...each, variant: { of: 'n', name: each.name, sets: [] as string[] } }))
  const summary = summarise({ config: { ...config, participants: variants }, ...rest }, new Date(0))
  expect(summary.variants.map(({ name, base, difference, costRatio }) => ({ name, base, difference, costRatio }))).toEqual([
    { name: 'two', base: 'one', difference: 58.33, costRatio: 1 },
    { name: 'three', base: 'one', difference: 16.67, costRatio: 1 },
  ])
  expect(summary.variants[1]?.sentence).toMatch(/^No difference between three and one can be seen with 3 judges\. They would show one of/)
  expect(leaderboard(summary)).toContain('| two | – | one | +58.3 |')
  expect(reportPage(summary)).toContain('Variants and their bases')
  expect(summarise({ config, ...rest }, new Date(0)).variants).toEqual([])
})

test('variants that were not scored together are not compared', () => {
  const [one] = againstBase(
    ['a-base', 'a-x'].map((name) => ({ name, variant: { of: 'a', name, sets: [] } })),
    { unit: 'points', difference: () => null, verdict: { clusters: { by: 'briefs', count: 9 } } as never },
    () => null,
  )
  expect(one?.sentence).toBe(
    'a-x and a-base cannot be compared, because one of them has too few scores or too many attempts that did not finish.',
  )
})

test('what a variant sets is shown, without values that may be secret', () => {
  const sets = ['instructions', 'skills', 'env', 'config']
  const values = { instructions: 'rules.md', skills: ['a', 'b'], env: ['KEY=secret'], config: { token: 'secret' } }
  const roles = [
    { name: 'a-base', variant: { of: 'a', name: 'base', sets: [] } },
    { name: 'a-x', variant: { of: 'a', name: 'x', sets }, ...values },
  ]
  const certainty = { difference: () => null, unit: 'points', verdict: { clusters: { by: 'briefs', count: 3 } } } as never
  expect(againstBase(roles, certainty, () => null)[0]?.sets).toEqual(['instructions: rules.md', 'skills: a, b', 'env', 'config'])
})
