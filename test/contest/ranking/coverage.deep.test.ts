import { describe, expect, test } from 'vitest'
import { type Block, leastSquares } from '../../../src/contest/ranking/statistics/blocks.ts'
import { bradleyTerry, type Comparison } from '../../../src/contest/ranking/statistics/bradley-terry.ts'
import type { Estimate } from '../../../src/contest/ranking/statistics/estimate.ts'
import { seeded } from '../../../src/contest/ranking/statistics/random.ts'
import { type RankRange, ranksOf } from '../../../src/contest/ranking/statistics/ranks.ts'
import { halfWidths } from '../../../src/contest/ranking/statistics/uncertainty.ts'

/** Contests with a known truth: five participants, three judges, and briefs that suit some more than others. */
const apart = [0.8, 0.5, 0, -0.3, -1]
/** Where nobody is better, each order that is claimed is false. */
const alike = [0, 0, 0, 0, 0]
const [judges, contests, briefEffect] = [3, 1_000, 0.7]
const participants = apart.length
const pairs = apart.flatMap((_, a) => apart.flatMap((_each, b) => (a < b ? [[a, b] as const] : [])))
const normalOf = (random: () => number) => (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** What the estimate tends to with ever more briefs: with effects of briefs it is not what was put in. */
function limitOf(put: readonly number[]): readonly number[] {
  const normal = normalOf(seeded(20_260))
  const draws = 40_000
  const sums = new Map(pairs.map((pair) => [pair, 0]))
  for (let each = 0; each < draws; each += 1) {
    const strengths = put.map((strength) => strength + briefEffect * normal())
    for (const pair of pairs)
      sums.set(pair, (sums.get(pair) ?? 0) + 1 / (1 + Math.exp((strengths[pair[1]] ?? 0) - (strengths[pair[0]] ?? 0))))
  }
  const comparisons = [...sums].map(([[a, b], sum]) => ({ a, b, score: sum / draws, cluster: 0 }))
  return bradleyTerry(comparisons, { participants, clusters: 1, priorSd: Number.POSITIVE_INFINITY })?.strengths ?? []
}

function pairwise(put: readonly number[], briefs: number, random: () => number): Estimate | null {
  const normal = normalOf(random)
  const comparisons: Comparison[] = []
  for (let cluster = 0; cluster < briefs; cluster += 1) {
    const strengths = put.map((strength) => strength + briefEffect * normal())
    for (let judge = 0; judge < judges; judge += 1)
      for (const [a, b] of pairs) {
        const p = 1 / (1 + Math.exp((strengths[b] ?? 0) - (strengths[a] ?? 0)))
        // Both orders are one comparison.
        const score = (Number(random() < p) + Number(random() < p)) / 2
        comparisons.push({ a, b, score, cluster })
      }
  }
  return bradleyTerry(comparisons, { participants, clusters: briefs })
}

function rubric(put: readonly number[], briefs: number, random: () => number): Estimate | null {
  const normal = normalOf(random)
  const blocks: Block[] = []
  for (let cluster = 0; cluster < briefs; cluster += 1) {
    const strengths = put.map((strength) => 10 * (strength + briefEffect * normal()))
    for (let judge = 0; judge < judges; judge += 1) {
      const mild = 8 * normal()
      // Some submissions were not judged.
      const seen = strengths.flatMap((strength, place) => (random() < 0.1 ? [] : [[place, 50 + mild + strength + 5 * normal()] as const]))
      if (seen.length > 1) blocks.push({ cluster, points: new Map(seen) })
    }
  }
  return leastSquares(blocks, { participants, clusters: briefs })
}

function pointsOf(put: readonly number[]): readonly number[] {
  const mean = put.reduce((sum, each) => sum + each, 0) / participants
  return put.map((each) => 10 * (each - mean))
}

const models = [
  ['pairwise', pairwise, apart, limitOf(apart), 1],
  ['pairwise, all alike', pairwise, alike, alike, 2],
  ['rubric', rubric, apart, pointsOf(apart), 3],
  ['rubric, all alike', rubric, alike, alike, 4],
] as const

describe.each(models)('%s, with a known truth', (_, contest, put, truth, seedOf) => {
  test.each([3, 5, 8, 20, 50])('over %i briefs, 93 to 97 of 100 intervals hold it, and 93 of 100 times all ranks do', (briefs) => {
    const random = seeded(1_000 * seedOf + briefs)
    let [held, together, estimated] = [0, 0, 0]
    for (let each = 0; each < contests; each += 1) {
      const estimate = contest(put, briefs, random)
      if (estimate === null) continue
      const half = halfWidths(estimate)
      const ranks = ranksOf(estimate, { seed: each, draws: 500 })
      if (half === null || ranks === null) throw new Error('no interval')
      estimated += 1
      held += estimate.strengths.filter((strength, place) => Math.abs(strength - (truth[place] ?? 0)) <= (half[place] ?? 0)).length
      if (ranks.ranges.every((range, place) => holds(range, truth, place))) together += 1
    }
    const covers = held / (estimated * participants)
    expect(estimated).toBeGreaterThan(0.99 * contests)
    expect(covers).toBeGreaterThanOrEqual(0.93)
    expect(covers).toBeLessThanOrEqual(0.97)
    expect(together / estimated).toBeGreaterThanOrEqual(0.93)
  })
})

/** Whether a range has every rank that a participant could be given among those that are as good. */
function holds({ from, to }: RankRange, truth: readonly number[], place: number): boolean {
  const own = truth[place] ?? Number.NaN
  return from <= 1 + truth.filter((each) => each > own).length && to >= truth.filter((each) => each >= own).length
}
