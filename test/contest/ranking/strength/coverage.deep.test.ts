import { describe, expect, test } from 'vitest'
import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { covariances, errorOfDifference } from '../../../../src/contest/ranking/strength/covariance.ts'
import type { Estimate } from '../../../../src/contest/ranking/strength/estimate.ts'
import { intervalsOf } from '../../../../src/contest/ranking/strength/intervals.ts'
import { type Ranks, ranksOf } from '../../../../src/contest/ranking/strength/ranks.ts'
import { type Population, pairwiseContest, pairwiseLimit, rubricContest, rubricLimit } from './populations.ts'

const briefCounts = [3, 5, 8, 20, 50]
/** Five participants, three judges, and briefs that suit some participants more than others. */
const spread: Population = { strengths: [0.8, 0.5, 0, -0.3, -1], judges: 3, suits: 0.7 }
/** The hardest case for ranks: every claim that somebody is better is wrong. */
const equal: Population = { strengths: [0, 0, 0, 0, 0], judges: 3, suits: 0.7 }

interface Covered {
  /** The share of intervals that contain the limit. */
  readonly intervals: number
  /** The share of contests in which all differences are within c standard errors of the truth. */
  readonly differences: number
  /** The share of contests in which all ranks are in their ranges. */
  readonly ranks: number
}

function coverage(contest: (random: () => number) => Estimate | null, truth: readonly number[], seed: number, contests: number): Covered {
  const random = seeded(seed)
  let [intervals, differences, ranks] = [0, 0, 0]
  for (let each = 0; each < contests; each += 1) {
    const estimate = contest(random)
    if (estimate === null) throw new Error('a contest without an estimate')
    const own = intervalsOf(estimate)
    const found = ranksOf(estimate, { seed: each, draws: 500 })
    if (own === null || found === null) throw new Error('a contest without intervals')
    intervals += own.strengths.filter(({ low, high }, place) => low <= (truth[place] ?? 0) && (truth[place] ?? 0) <= high).length
    differences += Number(differencesHold(estimate, found, truth))
    ranks += Number(ranksHold(found, truth))
  }
  return { intervals: intervals / (contests * truth.length), differences: differences / contests, ranks: ranks / contests }
}

function differencesHold(estimate: Estimate, { critical }: Ranks, truth: readonly number[]): boolean {
  const covariance = covariances(estimate)
  if (covariance === null) return false
  const off = estimate.strengths.map((each, place) => each - (truth[place] ?? 0))
  return off.every((one, a) => off.every((other, b) => Math.abs(one - other) <= critical * errorOfDifference(covariance, a, b) + 1e-9))
}

/** Returns true if the ranges contain the true ranks. Equally strong participants share all of their ranks. */
function ranksHold({ ranges }: Ranks, truth: readonly number[]): boolean {
  return ranges.every(({ from, to }, place) => {
    const own = truth[place] ?? 0
    return (
      from <= truth.filter((other) => other >= own).length &&
      to >= 1 + truth.filter((other) => other > own).length &&
      // Of equals, none may be ranked before another.
      (truth.some((other) => other !== own) || (from === 1 && to === truth.length))
    )
  })
}

describe.each([
  ['spread', spread, 1_000],
  ['equal', equal, 2_000],
] as const)('of five participants that are %s', (_, population, seed) => {
  const limit = population === equal ? [0, 0, 0, 0, 0] : pairwiseLimit(population, 20_260)
  const models = [
    ['pairs', 0, limit, pairwiseContest],
    ['a rubric', 100, rubricLimit(population), rubricContest],
  ] as const
  const cases = models.flatMap(([name, more, truth, contest]) => briefCounts.map((briefs) => [name, briefs, more, truth, contest] as const))
  test.each(cases)(
    'judged by %s at %i briefs, 93 to 97 of 100 intervals hold the limit, and all ranks 93 of 100 times',
    (_name, briefs, more, truth, contest) => {
      const found = coverage((random) => contest(population, briefs, random), truth, seed + more + briefs, 1_000)
      expect(found.intervals).toBeGreaterThanOrEqual(0.93)
      expect(found.intervals).toBeLessThanOrEqual(0.97)
      expect(found.differences).toBeGreaterThanOrEqual(0.93)
      expect(found.ranks).toBeGreaterThanOrEqual(0.93)
    },
  )
})

test.each(briefCounts)('with steps of 10 and of 25 points and one judge at %i briefs, all ranks hold 93 of 100 times', (briefs) => {
  for (const step of [10, 25]) {
    const one = { ...equal, judges: 1 }
    const complete = (random: () => number): Estimate | null => {
      for (;;) {
        const estimate = rubricContest(one, briefs, random, step)
        // Without influences nothing is claimed.
        if (estimate !== null && estimate.influences.length > 0) return estimate
      }
    }
    const found = coverage(complete, rubricLimit(one), 3_000 + 100 * step + briefs, 2_000)
    expect(found.ranks).toBeGreaterThanOrEqual(0.93)
  }
})
