import { describe, expect, test } from 'vitest'
import type { Summary } from '../../../src/contest/ranking/contest-summary.ts'
import { leaderboard } from '../../../src/contest/report/contest-leaderboard.ts'
import { summarise } from '../../../src/contest/report/summarise.ts'
import { findings } from '../../support/contest-findings.ts'

type Scores = Readonly<Record<string, Readonly<Record<string, number>>>>

const scale = { min: 0, max: 100 }
const of = (scores: Scores): Summary => summarise(findings(scores, 'fine', scale), new Date(0))
const ranksOf = ({ ranking }: Summary): unknown => ranking.map(({ name, strength }) => [name, strength?.ranks?.from, strength?.ranks?.to])

const clear = { j: { one: 90, two: 60, three: 31 }, k: { one: 91, two: 60, three: 30 }, l: { one: 95, two: 66, three: 35 } }

test('three judges that see it alike tell everybody apart, however mild they are', () => {
  const summary = of(clear)
  expect(summary.verdict).toMatchObject({ leader: 'one', front: ['one'], clusters: { by: 'judges', count: 3 }, toSettle: null })
  expect(summary.verdict?.sentence).toBe('one leads on this one brief, according to 3 judges. This says nothing about other work.')
  expect(ranksOf(summary)).toEqual([
    ['one', 1, 1],
    ['two', 2, 2],
    ['three', 3, 3],
  ])
  const [first] = summary.ranking
  expect(first?.strength?.estimate).toBe(30)
  expect(first?.strength?.interval?.low).toBeGreaterThan(28)
  expect(first?.strength?.interval?.high).toBeLessThan(32)
})

test('judges that differ leave ranks open, and the cheapest of the first is named', () => {
  const summary = of({ j: { one: 90, two: 60, three: 10 }, k: { one: 60, two: 88, three: 12 }, l: { one: 80, two: 78, three: 9 } })
  expect(summary.verdict).toMatchObject({ leader: null, front: ['one', 'two'], cheapest: 'one' })
  expect(summary.verdict?.toSettle).toBeNull()
  expect(summary.verdict?.sentence).toMatch(
    /^one and two cannot be told apart on this one brief, according to 3 judges\. The cheapest of them is one, which also has the highest score\. This says nothing about other work\.$/,
  )
  expect(leaderboard(summary)).toMatch(/\| 1–\d \| \*\*one\*\* \|/)
})

test('15: judges that all give the same scores agree, and too few of them can do so by chance', () => {
  const same = { one: 80, two: 50 }
  const { verdict, notes } = of({ j: same, k: same, l: same })
  expect(verdict).toMatchObject({ leader: null, front: ['one', 'two'], toSettle: null })
  expect(verdict?.sentence).toBe(
    'one has a higher score than two on this one brief, by the same difference for all 3 judges, but scores in such large steps can agree by chance. The cheapest of them is one, which also has the highest score. This says nothing about other work.',
  )
  expect(notes).toContain('The judges gave each submission the same score.')
  const tie = { one: 80, two: 80 }
  expect(of({ j: tie, k: tie, l: tie }).verdict?.sentence).toMatch(/^one, two and three cannot be told apart/)
})

test('with fewer than three judges, no certainty of the order is reported', () => {
  const { ranking, verdict } = of({ j: clear.j, k: clear.k })
  expect(verdict?.sentence).toBe('one has the highest score. It takes at least three judges to know how certain that is; there are 2.')
  expect(ranking.map(({ rank, strength }) => [rank, strength?.interval, strength?.ranks])).toEqual([
    [1, null, { from: 1, to: 3 }],
    [2, null, { from: 1, to: 3 }],
    [3, null, { from: 1, to: 3 }],
  ])
})

test('without judges there is no verdict, and no agreement', () => {
  expect(of({})).toMatchObject({ verdict: null, agreement: [] })
})

test('the same findings give the same summary', () => {
  expect(of(clear)).toEqual(of(clear))
})

describe('checks', () => {
  const by = (ranking: 'checks' | 'checks-then-judges' | 'judges', passed: Readonly<Record<string, readonly boolean[]>>): Summary => {
    const all = findings(clear, 'fine', scale)
    const checks = new Map(
      Object.entries(passed).map(([name, list]) => [
        name,
        list.map((ok, index) => ({
          name: `c${index}`,
          weight: 1 + index,
          result: ok ? ('passed' as const) : ('failed' as const),
          why: null,
          exitCode: 0,
          durationMs: 1,
          output: '',
        })),
      ]),
    )
    return summarise({ ...all, config: { ...all.config, ranking: { by: ranking, counts: 'delivered' } }, checks }, new Date(0))
  }
  const oneFails = { one: [true, false], two: [true, true], three: [true, true] }

  test('first, and then judges: these order only those that passed the same share', () => {
    const summary = by('checks-then-judges', oneFails)
    expect(summary.rankedBy).toBe('checks-then-judges')
    expect(summary.ranking.map(({ name, rank }) => [name, rank])).toEqual([
      ['two', 1],
      ['three', 2],
      ['one', 3],
    ])
    expect(ranksOf(summary)).toEqual([
      ['two', 1, 1],
      ['three', 2, 2],
      ['one', 3, 3],
    ])
    expect(summary.verdict).toMatchObject({ leader: 'two', byChecks: false })
    expect(summary.notes).toContain('The weighted share of checks comes first; judges order those that passed the same.')
  })

  test('the only participant that passes most checks leads, whatever judges say', () => {
    const summary = by('checks-then-judges', { ...oneFails, two: [false, true] })
    expect(summary.verdict).toMatchObject({ leader: 'three', byChecks: true })
    expect(summary.verdict?.sentence).toBe("three leads. It passed the most checks, which take precedence over the judges' scores.")
  })

  test('ranked only by checks: scores of judges are beside them', () => {
    const summary = by('checks', oneFails)
    expect(summary).toMatchObject({ rankedBy: 'checks', verdict: null })
    expect(summary.ranking.map(({ name, rank, score, judgements }) => [name, rank, score, judgements.length])).toEqual([
      ['three', 1, 100, 3],
      ['two', 1, 100, 3],
      ['one', 3, 33.33, 3],
    ])
  })

  test('by judges, checks change nothing', () => {
    expect(by('judges', oneFails).ranking.map(({ name }) => name)).toEqual(['one', 'two', 'three'])
  })
})

describe('of judges', () => {
  test('agreement is reported by dimension, with how many submissions it rests on', () => {
    const [quality, ...others] = of(clear).agreement
    expect(others).toEqual([])
    expect(quality).toMatchObject({ dimension: 'quality', n: 3, tooFew: true })
    expect(quality?.alpha?.interval).toBeGreaterThan(0.98)
    expect(leaderboard(of(clear))).toContain('| quality | good, but too few submissions to tell |')
  })

  test('a mild judge is reported as mild, and so is one with the same score for all', () => {
    const summary = of({ j: clear.j, k: clear.k, l: { one: 80, two: 80, three: 80 } })
    const cards = Object.fromEntries(summary.judges.map(({ name, card }) => [name, card]))
    expect(cards['l']).toMatchObject({
      position: null,
      caught: [],
      controls: null,
      ownFamily: null,
      severity: 19.67,
      spread: 0,
      spreadBeyondOthers: -30,
    })
    expect(cards['j']?.severity).toBeLessThan(0)
    expect(leaderboard(summary)).toContain('severity: 19.7 points milder than the others; spread: the same score for all')
  })
})
