import { expect, test } from 'vitest'
import { certaintyOf } from '../../../src/contest/ranking/certainty.ts'
import { seeded } from '../../../src/contest/ranking/probability/random.ts'
import { briefsToDetect, observedSd, smallestDifference } from '../../../src/contest/suite/detect.ts'
import { summaryOf } from '../../support/suite-findings.ts'
import { nameOf, suiteOf } from '../ranking/strength/populations.ts'

test('the smallest difference and the number of briefs belong together', () => {
  for (const participants of [2, 5])
    for (const sd of [5, 10, 20])
      for (const points of [3, 10, 25]) {
        const briefs = briefsToDetect(points, { participants, sd }) ?? 0
        expect(smallestDifference(briefs, { participants, sd })).toBeLessThanOrEqual(points)
        if (briefs > 3) expect(smallestDifference(briefs - 1, { participants, sd })).toBeGreaterThan(points)
      }
  expect(smallestDifference(2, { participants: 2, sd: 1 })).toBeNull()
  expect(briefsToDetect(0.001, { participants: 2, sd: 10 })).toBeNull()
  // The textbook sample size of a paired t test at 5% with a power of 80%.
  expect(briefsToDetect(10, { participants: 2, sd: 20 })).toBe(34)
})

test('a suite of the planned size names the leader in about 80 of 100 cases', () => {
  // The difference between two participants varies by √2 · 7 from brief to brief; judges without noise add nothing.
  const design = { participants: 3, sd: 7 * Math.SQRT2 }
  const briefs = briefsToDetect(8, design) ?? 0
  const points = [70, 62, 40]
  const random = seeded(3)
  const competitors = points.map((_, place) => ({ name: nameOf(place), score: null, costUsd: null }))
  let found = 0
  for (let each = 0; each < 200; each += 1) {
    const works = suiteOf({ mode: 'rubric', points, judges: [0, 0, 0], missing: 0 }, briefs, random)
    found += Number(certaintyOf(works, competitors)?.verdict.leader === 'p0')
  }
  expect(found / 200).toBeGreaterThan(0.7)
  expect(found / 200).toBeLessThan(0.9)
})

test('the standard deviation comes from the results of the suite', () => {
  const scored = (a: number, b: number) => ({ scores: { j: { a, b } } })
  const summary = summaryOf({ names: ['a', 'b'], judges: ['j'], contests: [scored(60, 50), scored(80, 60), scored(50, 20)] })
  // The differences are 10, 20 and 30.
  expect(observedSd(summary)).toBeCloseTo(10, 9)
  expect(observedSd(summaryOf({ names: ['a', 'b'], contests: [{}, {}, {}] }))).toBeNull()
})
