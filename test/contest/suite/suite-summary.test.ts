import { describe, expect, test } from 'vitest'
import { suiteLeaderboard } from '../../../src/contest/suite/report/suite-leaderboard.ts'
import { type MadeContest, summaryOf } from '../../support/suite-findings.ts'

const judges = ['j', 'k', 'l']
/** A number that is the same for the same brief, from -2 to 2. */
const noise = (brief: number, of: number): number => ((brief * 7 + of * 13) % 5) - 2
const scored = (brief: number, points: Readonly<Record<string, number>>): NonNullable<MadeContest['scores']> =>
  Object.fromEntries(
    judges.map((judge, at) => [
      judge,
      Object.fromEntries(Object.entries(points).map(([name, own], place) => [name, own + noise(brief, place) + at])),
    ]),
  )
const times = <T>(count: number, of: (brief: number) => T): T[] => Array.from({ length: count }, (_, brief) => of(brief))
const rowOf = (summary: ReturnType<typeof summaryOf>, name: string) => summary.ranking.find((each) => each.name === name)

describe('without judging or checks there are no ranks and no scores', () => {
  test('a failure is not ranked first while nothing was judged, and there are no checks', () => {
    const summary = summaryOf({
      names: ['best', 'rare'],
      contests: times(5, (brief) => ({ ended: brief < 3 ? { rare: 'incomplete' } : {} })),
    })
    expect(summary.ranking.map(({ rank, score }) => [rank, score])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(summary).toMatchObject({ rankedBy: 'nothing', verdict: null })
    expect(rowOf(summary, 'rare')?.completion).toMatchObject({ hits: 2, of: 5 })
  })

  test('work that has ended and is not sealed yet has not failed', () => {
    const summary = summaryOf({ names: ['best', 'worst'], contests: times(3, () => ({ ended: { worst: 'ran' } })) })
    expect(rowOf(summary, 'worst')).toMatchObject({ completion: { hits: 0, of: 0, share: null }, failedToRun: 0 })
  })

  test('checks that have not run yet count neither for nor against anybody', () => {
    const summary = summaryOf({
      names: ['a', 'b'],
      judges: [],
      contests: [
        { passed: { a: true, b: true } },
        { passed: { a: true, b: true } },
        { passed: { a: true } },
        { ended: { b: 'incomplete' } },
      ],
    })
    expect(rowOf(summary, 'a')?.score).toBe(100)
    expect(rowOf(summary, 'b')?.score).toBe(100)
  })

  test('with too few briefs to know anything, every rank is possible', () => {
    const summary = summaryOf({
      names: ['a', 'b', 'c'],
      contests: times(2, (brief) => ({ scores: scored(brief, { a: 90, b: 60, c: 30 }) })),
    })
    expect(summary.ranking.map(({ strength }) => strength?.ranks)).toEqual(times(3, () => ({ from: 1, to: 3 })))
  })
})

test('the verdict says in how many deliveries all checks passed', () => {
  const contests = times(12, (brief): MadeContest => ({ passed: { a: true, b: brief < 9 } }))
  const summary = summaryOf({ names: ['a', 'b'], contests, contest: { ranking: 'checks' } })
  expect(summary.verdict?.sentence).toContain(
    'Delivered by 1970-01-01: a 12 of 12 (76–100%), 12 with all checks passed; b 12 of 12 (76–100%), 9 with all checks passed.',
  )
})

test('with checks, the cost is that of a delivery that passes all of them', () => {
  const contests = times(12, (brief): MadeContest => ({ passed: { a: true, b: brief < 9 }, costUsd: { a: 0.4, b: 0.36 } }))
  const summary = summaryOf({ names: ['a', 'b'], contests, contest: { ranking: 'checks' } })
  expect(rowOf(summary, 'a')?.costPerSuccess?.costUsd).toBeCloseTo(0.4, 9)
  expect(rowOf(summary, 'b')?.costPerSuccess?.costUsd).toBeCloseTo((12 * 0.36) / 9, 9)
  expect(rowOf(summary, 'b')?.dominatedBy).toBe('a')
  expect(suiteLeaderboard(summary)).toContain('| Cost per pass |')
})

test('the report shows the isolation levels at which a participant worked, also if it did not deliver, and nothing if they are not known', () => {
  const contests = times(
    3,
    (brief): MadeContest => ({
      passed: { a: true },
      ended: { b: 'incomplete' },
      posture: { a: brief === 0 ? 'L2' : 'L1', b: 'L2' },
    }),
  )
  const summary = summaryOf({ names: ['a', 'b'], contests, contest: { ranking: 'checks' } })
  expect([rowOf(summary, 'a')?.postures, rowOf(summary, 'b')?.postures]).toEqual([['L1', 'L2'], ['L2']])
  expect(suiteLeaderboard(summary)).toContain('| Level |')
  expect(suiteLeaderboard(summary)).toContain('| L1 and L2 |')
  expect(suiteLeaderboard(summaryOf({ names: ['a', 'b'], contests: [{ passed: { a: true, b: true } }] }))).not.toContain('Level')
})

describe('delivering counts', () => {
  test('a participant that does not deliver loses to everybody that does, also if there was nothing to compare', () => {
    const only = (brief: number): MadeContest => ({ ended: brief < 16 ? { b: 'incomplete' } : {}, pairs: brief < 16 ? [] : [['b', 'a']] })
    const summary = summaryOf({ names: ['a', 'b'], contests: times(20, only), contest: { judging: { mode: 'pairwise' } } })
    expect(summary.ranking.map(({ name, rank }) => [name, rank])).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(summary.verdict?.leader).toBe('a')
    expect(summary.boards.find(({ id }) => id === 'strength')?.rows[0]?.name).toBe('b')
    expect(summary.verdict?.sentence).toContain('Delivered by 1970-01-01: a 20 of 20 (84–100%), b 4 of 20 (8–42%).')
  })

  test('and by the rubric it is 0; ranking.counts: strength ranks only what was delivered, and the sentence says what differs', () => {
    const contests = times(
      12,
      (brief): MadeContest =>
        brief % 2 === 0
          ? { scores: scored(brief, { a: 60, flaky: 90 }) }
          : { scores: scored(brief, { a: 60 }), ended: { flaky: 'out-of-time' } },
    )
    const names = ['a', 'flaky']
    const delivered = summaryOf({ names, contests })
    expect(delivered.ranking.map(({ name }) => name)).toEqual(['a', 'flaky'])
    expect(delivered.verdict?.sentence).toContain('Delivered by 1970-01-01: a 12 of 12 (76–100%), flaky 6 of 12 (25–75%).')
    expect(delivered.verdict?.sentence).toMatch(/If only delivered work counts, flaky leads instead\.$/)
    const strength = summaryOf({ names, contests, contest: { ranking: { counts: 'strength' } } })
    expect(strength.ranking.map(({ name }) => name)).toEqual(['flaky', 'a'])
    expect(strength.boards.map(({ id }) => id)).toEqual(['delivered'])
    expect(rowOf(delivered, 'flaky')?.failures).toEqual({ 'out-of-time': 6 })
  })

  test('a suite of checks counts a failure to deliver as 0, and ranks by the rest with counts: strength', () => {
    const contests = times(
      6,
      (brief): MadeContest => (brief === 0 ? { passed: { a: false }, ended: { b: 'incomplete' } } : { passed: { a: brief > 2, b: true } }),
    )
    const of = (counts: string) => summaryOf({ names: ['a', 'b'], judges: [], contests, contest: { ranking: { counts } } })
    expect(rowOf(of('delivered'), 'b')?.score).toBeCloseTo(83.33, 1)
    expect(rowOf(of('strength'), 'b')?.score).toBeGreaterThan(90)
  })
})

describe('a participant with too little data', () => {
  const points = { a: 84, b: 59, c: 42 }
  test('in one brief takes no verdict from the others, and is named', () => {
    const summary = summaryOf({
      names: ['a', 'b', 'c', 'rare'],
      contests: times(10, (brief) => ({
        scores: scored(brief, brief === 0 ? { ...points, rare: 70 } : points),
        ended: brief === 0 ? {} : { rare: null },
      })),
    })
    expect(summary.verdict).toMatchObject({ leader: 'a', apart: [{ name: 'rare', why: 'few-briefs', briefs: 1 }] })
    expect(summary.verdict?.sentence).toContain('rare is not compared, because it was judged in only 1 brief.')
    expect(summary.ranking.at(-1)).toMatchObject({ name: 'rare', rank: null, strength: null })
    expect(rowOf(summary, 'a')?.strength?.ranks).toEqual({ from: 1, to: 1 })
  })

  test('because a fifth of its attempts could not run is named, and not compared', () => {
    const summary = summaryOf({
      names: ['a', 'b', 'c'],
      contests: times(10, (brief) =>
        brief < 3 ? { scores: scored(brief, { a: 84, b: 59 }), ended: { c: 'rate-limited' } } : { scores: scored(brief, points) },
      ),
    })
    expect(summary.verdict?.apart).toEqual([{ name: 'c', why: 'infrastructure', briefs: 7 }])
    expect(summary.verdict?.sentence).toContain('c is not compared, because over a fifth of its attempts could not run.')
    expect(summary.ranking.find(({ name }) => name === 'c')?.rank).toBeNull()
  })
})

describe('numbers agree with each other', () => {
  test('a better rank never has a lower score, whatever is missing', () => {
    // b only meets the easy briefs.
    const contests = times(12, (brief): MadeContest => {
      const ease = brief < 6 ? 30 : 0
      const all = { a: 50 + ease, c: 30 + ease }
      return { scores: scored(brief, brief < 6 ? { ...all, b: 45 + ease } : all), ended: brief < 6 ? {} : { b: null } }
    })
    const summary = summaryOf({ names: ['a', 'b', 'c'], contests })
    expect(summary.ranking.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    const scores = summary.ranking.map(({ score }) => score ?? 0)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  test('the score of complete data is the mean over judges and contests', () => {
    const summary = summaryOf({ names: ['a', 'b'], contests: times(5, (brief) => ({ scores: scored(brief, { a: 70, b: 50 }) })) })
    const all = summary.briefs.flatMap(({ runs }) => runs.flatMap(({ results }) => results.filter(({ name }) => name === 'a')))
    expect(rowOf(summary, 'a')?.score).toBeCloseTo(all.reduce((sum, { score }) => sum + (score ?? 0), 0) / all.length, 1)
  })
})

describe('what it costs', () => {
  const contests = times(
    6,
    (brief): MadeContest => ({
      scores: scored(brief, brief % 2 === 0 ? { dear: 60, cheap: 70, lame: 50 } : { dear: 60, cheap: 70 }),
      ended: brief % 2 === 0 ? {} : { lame: 'incomplete' },
      costUsd: { dear: 1, cheap: 0.25 + brief / 100, lame: 0.3 },
    }),
  )
  const summary = summaryOf({ names: ['dear', 'cheap', 'lame'], contests })

  test('per delivered brief contains the attempts that failed, with an interval', () => {
    expect(rowOf(summary, 'lame')?.costPerSuccess?.costUsd).toBeCloseTo(0.6, 9)
    const { costUsd = 0, low, high } = rowOf(summary, 'cheap')?.costPerSuccess ?? {}
    expect(costUsd).toBeCloseTo(0.275, 9)
    expect(low).toBeLessThan(costUsd)
    expect(low).toBeGreaterThan(0.24)
    expect(high).toBeLessThan(0.32)
  })

  test('and who costs more for a lower score is named', () => {
    expect(summary.ranking.map(({ name, dominatedBy }) => [name, dominatedBy])).toEqual([
      ['cheap', null],
      ['dear', 'cheap'],
      ['lame', 'cheap'],
    ])
  })
})

test('a leader whose ranks include others is explained', () => {
  const contests = times(
    12,
    (brief): MadeContest => ({
      scores: scored(brief, { a: 60 + 6 * noise(brief, 1), b: 51 + 3 * noise(brief, 4), c: 50 + 5 * noise(brief, 2), d: 40, e: 30 }),
    }),
  )
  const summary = summaryOf({ names: ['a', 'b', 'c', 'd', 'e'], contests })
  const isWide = rowOf(summary, 'a')?.strength?.ranks?.to !== 1
  expect(summary.notes.some((note) => note.includes('leads although its ranks include others'))).toBe(
    summary.verdict?.leader === 'a' && isWide,
  )
})

describe('behind the ranking', () => {
  // a is 10 points better in Python and 20 worse in shell; each brief is run twice.
  const contests = times(12, (at): MadeContest => {
    const brief = Math.floor(at / 2)
    return { scores: scored(0, { a: (brief < 4 ? 70 : 40) + 6 * (at % 2), b: 60, c: 20 + brief }) }
  })
  const summary = summaryOf({
    names: ['a', 'b', 'c'],
    contests,
    repeats: 2,
    tags: (brief) => [brief < 4 ? 'python' : 'shell'],
  })

  test('are results by tag, with the briefs that have it', () => {
    const [python, shell] = summary.details.tags
    expect(python).toMatchObject({ tag: 'python', briefs: 4 })
    expect(shell).toMatchObject({ tag: 'shell', briefs: 2 })
    const of = (tag: typeof python, name: string) => tag?.scores.find((each) => each.name === name)?.score ?? 0
    expect(of(python, 'a') - of(shell, 'a')).toBeCloseTo(30, 1)
    expect(of(python, 'b') - of(shell, 'b')).toBeCloseTo(0, 1)
  })

  test('are the worst briefs and how much repeats differ', () => {
    const own = (name: string) => summary.details.participants.find((each) => each.name === name)
    expect(
      own('a')
        ?.worst.map(({ brief }) => brief)
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['b4', 'b5'])
    expect(own('c')?.worst[0]?.brief).toBe('b0')
    expect(own('a')?.repeatSd).toBeCloseTo(Math.sqrt(18), 2)
    expect(own('b')?.repeatSd).toBe(0)
    expect(own('b')?.dimensions['quality']).toBeGreaterThan(50)
  })

  test('are the briefs in which the first two differ most, and who beats whom', () => {
    expect(
      summary.ranking
        .slice(0, 2)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['a', 'b'])
    expect(
      summary.details.differences
        .slice(0, 2)
        .map(({ brief }) => brief)
        .toSorted(),
    ).toEqual(['b4', 'b5'])
    const met = (a: string, b: string) => summary.details.meetings.find((each) => each.a === a && each.b === b)
    expect(met('a', 'b')).toMatchObject({ won: 4, of: 6 })
    expect(met('b', 'a')).toMatchObject({ won: 2, of: 6 })
    expect(met('a', 'a')).toBeUndefined()
  })

  test('without any judgement there is nothing', () => {
    const { details } = summaryOf({ names: ['a', 'b'], contests: times(3, () => ({})) })
    expect(details).toEqual({
      participants: ['a', 'b'].map((name) => ({ name, worst: [], repeatSd: null, dimensions: {} })),
      tags: [],
      differences: [],
      meetings: [],
    })
  })
})
