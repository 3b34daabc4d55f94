import { describe, expect, test } from 'vitest'
import { studentQuantile } from '../../../../src/contest/ranking/probability/student.ts'
import { bradleyTerry } from '../../../../src/contest/ranking/strength/bradley-terry.ts'
import { clustersOf } from '../../../../src/contest/ranking/strength/clusters.ts'
import { criticalValue } from '../../../../src/contest/ranking/strength/critical-value.ts'
import type { Estimate } from '../../../../src/contest/ranking/strength/estimate.ts'
import { firstPlaceOf } from '../../../../src/contest/ranking/strength/first-place.ts'
import { connectedGroups } from '../../../../src/contest/ranking/strength/groups.ts'
import { intervalsOf } from '../../../../src/contest/ranking/strength/intervals.ts'
import { leastSquares } from '../../../../src/contest/ranking/strength/least-squares.ts'
import { ranksOf } from '../../../../src/contest/ranking/strength/ranks.ts'

/** Returns the estimate for one judge, with one row of points per brief. */
const estimated = (rows: readonly (readonly number[])[]): Estimate => {
  const blocks = rows.map((row, cluster) => ({ cluster, points: new Map(row.entries()) }))
  const found = leastSquares(blocks, { participants: rows[0]?.length ?? 0, clusters: rows.length })
  if (found === null) throw new Error('no estimate')
  return found
}
const repeated = (count: number, row: (brief: number) => number[]): number[][] => Array.from({ length: count }, (_, brief) => row(brief))

test('for two participants in complete blocks, the interval is that of a paired t test', () => {
  const differences = [4, 7, -1, 9, 3]
  const found = intervalsOf(estimated(differences.map((d) => [50 + d, 50])))?.strengths[0]
  const mean = differences.reduce((sum, each) => sum + each, 0) / 5
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 4
  expect(found?.estimate).toBeCloseTo(mean / 2, 9)
  expect((found?.high ?? 0) - (found?.low ?? 0)).toBeCloseTo(studentQuantile(0.975, 4) * Math.sqrt(variance / 5), 9)
})

test('two clusters have no intervals, no ranks and no leader', () => {
  const two = estimated([
    [90, 10],
    [80, 11],
  ])
  expect(intervalsOf(two)).toBeNull()
  expect(ranksOf(two, { seed: 1 })).toBeNull()
  expect(firstPlaceOf(two, [2, 1])).toEqual({
    leader: null,
    front: [0, 1],
    cheapest: 1,
    toSettle: null,
    isUniform: false,
    behind: [null, null],
  })
})

test('under ten clusters the critical value is that of Bonferroni', () => {
  const few = ranksOf(estimated(repeated(5, (brief) => [60 + brief, 50 - brief, 10])), { seed: 1 })
  expect(few?.criticalOf(0, 1)).toBeCloseTo(studentQuantile(1 - 0.025 / 3, 4), 9)
})

test('from ten clusters on it comes from flips, is the same for a seed, and needs less than the bound', () => {
  const many = estimated(repeated(12, (brief) => [0, 1, 2, 3].map((place) => 50 + ((brief * (place + 3) * 7 + place * place) % 23))))
  const critical = criticalValue(many, { seed: 7 })
  expect(criticalValue(many, { seed: 7 })).toBe(critical)
  expect(critical).toBeGreaterThan(studentQuantile(0.975, 11))
  expect(critical).toBeLessThan(studentQuantile(1 - 0.025 / 6, 11) * 1.05)
})

test('ranks are ranges: those who are surely apart, and those who are not', () => {
  const ranks = ranksOf(estimated(repeated(10, (brief) => [80 + (brief % 3), 80 + ((brief + 1) % 3), 40 + ((brief * brief) % 5)])), {
    seed: 1,
  })
  expect(ranks?.ranges).toEqual([
    { from: 1, to: 2 },
    { from: 1, to: 2 },
    { from: 3, to: 3 },
  ])
  expect(ranks?.surelyBetter(0, 2)).toBe(true)
  expect(ranks?.surelyBetter(2, 0)).toBe(false)
  expect(ranks?.surelyBetter(0, 1)).toBe(false)
})

test('submissions that always get the same are not apart, to the last bit', () => {
  const ranks = ranksOf(estimated(repeated(9, (brief) => [(70 + brief) / 3, (70 + brief) / 3, ((brief * 37) % 11) / 7])), { seed: 1 })
  expect(ranks?.ranges.slice(0, 2)).toEqual([
    { from: 1, to: 2 },
    { from: 1, to: 2 },
  ])
  expect(ranks?.surelyBetter(0, 1) || ranks?.surelyBetter(1, 0)).toBe(false)
})

test('one step of a coarse scale at each of three briefs is not proof; three steps are', () => {
  const apart = (steps: number): boolean | undefined =>
    ranksOf(estimated([0, 25, 50].map((easy) => [easy + 25 * steps, easy])), { seed: 1 })?.surelyBetter(0, 1)
  expect(apart(1)).toBe(false)
  expect(apart(3)).toBe(true)
})

describe('the first place', () => {
  const clear = estimated(repeated(10, (brief) => [80 + (brief % 3), 40 + (brief % 4), 42 + (brief % 5)]))
  const open = estimated(repeated(10, (brief) => [80 + (brief % 3), 79 + ((brief * 7) % 6), 40]))

  test('is that of the only one that can be first', () => {
    expect(firstPlaceOf(clear, [3, 1, 2])).toMatchObject({ leader: 0, front: [0], cheapest: 0, toSettle: null, isUniform: false })
    // The leader is not behind, and the others are behind by a little more than their difference.
    const [own, second, third] = firstPlaceOf(clear, []).behind
    expect(own).toBe(0)
    expect(second).toBeGreaterThan(39)
    expect(third).toBeGreaterThan(38)
    expect(second).toBeLessThan(42)
  })

  test('is open between those that cannot be told apart from the strongest, and the cheapest of them is named', () => {
    const found = firstPlaceOf(open, [3, 4, 1])
    expect(found).toMatchObject({ leader: null, front: [1, 0], cheapest: 0, isUniform: false })
    expect(found.behind[0]).toBeGreaterThan(0)
    expect(found.behind[0]).toBeLessThan(5)
    expect(firstPlaceOf(open, [3, null, 1]).cheapest).toBeNull()
  })

  test('needs t(1 − min(0.025, 0.05/(n−1))) standard errors, one-sided', () => {
    const differences = [6, 4, 9, 1, 7, 2, 8, 3]
    const error = Math.sqrt(differences.reduce((sum, d) => sum + (d - 5) ** 2, 0) / 7 / 8)
    const two = firstPlaceOf(estimated(differences.map((d) => [50 + d, 50])), [])
    expect(two.leader).toBe(0)
    expect(two.behind[1]).toBeCloseTo(5 + studentQuantile(0.975, 7) * error, 9)
    const five = firstPlaceOf(estimated(differences.map((d) => [50 + d, 50, 0, 10, 20])), [])
    expect(five.behind[1]).toBeCloseTo(5 + studentQuantile(1 - 0.05 / 4, 7) * error, 9)
  })

  test('would be settled by the smallest n with n ≥ G(c(n)·se/d)², as a range from eight briefs on', () => {
    const differences = [6, -4, 9, 1, -2, 3, -1, 4]
    const mean = 2
    const error = Math.sqrt(differences.reduce((sum, d) => sum + (d - mean) ** 2, 0) / 7 / 8)
    const { toSettle } = firstPlaceOf(estimated(differences.map((d) => [50 + d, 50])), [])
    const needs = (n: number, d: number): boolean => n >= 8 * ((studentQuantile(0.975, n - 1) * error) / d) ** 2
    const optimistic = mean + studentQuantile(0.9, 7) * error
    expect(needs(toSettle?.from ?? 0, optimistic)).toBe(true)
    expect((toSettle?.from ?? 0) === 8 || !needs((toSettle?.from ?? 0) - 1, optimistic)).toBe(true)
    // The difference may well be zero.
    expect(toSettle?.to).toBeNull()
    expect(firstPlaceOf(estimated(differences.slice(1).map((d) => [50 + d, 50])), []).toSettle).toBeNull()
  })

  test('is only for the best tier', () => {
    expect(firstPlaceOf(clear, [], [1, 0, 0])).toMatchObject({ leader: 2, front: [2] })
    expect(firstPlaceOf(clear, [], [1, 0, 1])).toMatchObject({ leader: 1, front: [1], behind: [null, 0, null] })
  })
})

test('clusters are briefs, or judges if there is one brief', () => {
  const rows = ['b2', 'b10'].flatMap((brief) => ['eve', 'adam'].map((judge) => ({ brief, judge })))
  expect(clustersOf(rows)).toMatchObject({ by: 'briefs', names: ['b10', 'b2'] })
  const one = rows.filter(({ brief }) => brief === 'b2')
  expect(clustersOf(one)).toMatchObject({ by: 'judges', names: ['adam', 'eve'] })
  expect(one.map(clustersOf(one).placeOf)).toEqual([1, 0])
})

test('groups are connected directly or through others, the largest first', () => {
  expect(
    connectedGroups(6, [
      [4, 5],
      [0, 3],
      [3, 1],
    ]),
  ).toEqual([[0, 1, 3], [4, 5], [2]])
})

test('by pairs, unanimous judges or briefs are sure only if they are so many that this is unlikely by chance', () => {
  // With a fair coin for each cluster, 5 equal ones have a probability of 6%, and 8 of 1%.
  const leaderOf = (clusters: number, judges: number): number | null => {
    const comparisons = Array.from({ length: clusters * judges }, (_, at) => ({ a: 0, b: 1, score: 1, cluster: at % clusters }))
    const estimate = bradleyTerry(comparisons, { participants: 2, clusters })
    return estimate === null ? null : firstPlaceOf(estimate, []).leader
  }
  expect([3, 4, 5].map((clusters) => leaderOf(clusters, 1))).toEqual([null, null, null])
  expect([3, 4, 5].map((clusters) => leaderOf(clusters, 3))).toEqual([null, null, null])
  expect([8, 12, 20].map((clusters) => leaderOf(clusters, 3))).toEqual([0, 0, 0])
})
