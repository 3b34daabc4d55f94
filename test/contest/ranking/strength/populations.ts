import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { bradleyTerry, type Comparison } from '../../../../src/contest/ranking/strength/bradley-terry.ts'
import type { Estimate } from '../../../../src/contest/ranking/strength/estimate.ts'
import { type Block, leastSquares } from '../../../../src/contest/ranking/strength/least-squares.ts'

/** A population of briefs and judges from which contests are drawn. */
export interface Population {
  /** The strength of each participant, in log odds. */
  readonly strengths: readonly number[]
  readonly judges: number
  /** Standard deviation of how much better a brief suits one participant than others, in log odds. */
  readonly suits: number
}

type Random = () => number

/** Draws from the standard normal distribution (Box and Muller 1958). */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const pairsOf = (n: number): [number, number][] =>
  Array.from({ length: n }, (_, a) => Array.from({ length: n }, (_each, b): [number, number] => [a, b])).flatMap((row, a) =>
    row.slice(a + 1),
  )

const atBrief = ({ strengths, suits }: Population, random: Random): number[] => strengths.map((each) => each + suits * normal(random))
const wins = (strengths: readonly number[], a: number, b: number): number => 1 / (1 + Math.exp((strengths[b] ?? 0) - (strengths[a] ?? 0)))

/** Returns a contest in pairs, with every pair in both orders for every judge. */
export function pairwiseContest(population: Population, briefs: number, random: Random): Estimate | null {
  const comparisons: Comparison[] = []
  for (let cluster = 0; cluster < briefs; cluster += 1) {
    const strengths = atBrief(population, random)
    for (let judge = 0; judge < population.judges; judge += 1)
      for (const [a, b] of pairsOf(strengths.length)) {
        const p = wins(strengths, a, b)
        comparisons.push({ a, b, score: (Number(random() < p) + Number(random() < p)) / 2, cluster })
      }
  }
  return bradleyTerry(comparisons, { participants: population.strengths.length, clusters: briefs })
}

/**
 * Returns a contest by rubric: 10 points per unit of strength, judges with a mildness of 8 and errors of 5 points, and one of ten scores
 * missing. `step` is the step of the scale in points; 0 is a scale without steps.
 */
export function rubricContest(population: Population, briefs: number, random: Random, step = 0): Estimate | null {
  const blocks: Block[] = []
  for (let cluster = 0; cluster < briefs; cluster += 1) {
    const strengths = atBrief(population, random)
    for (let judge = 0; judge < population.judges; judge += 1) {
      const mild = 8 * normal(random)
      const points = new Map<number, number>()
      for (const [place, strength] of strengths.entries()) {
        const value = 50 + mild + 10 * strength + 5 * normal(random)
        if (random() >= 0.1) points.set(place, step === 0 ? value : Math.round(value / step) * step)
      }
      if (points.size > 1) blocks.push({ cluster, points })
    }
  }
  return leastSquares(blocks, { participants: population.strengths.length, clusters: briefs })
}

/**
 * Returns the limit of the estimate from pairs with more and more briefs. These are not the given strengths, because briefs suit some
 * participants more than others.
 */
export function pairwiseLimit(population: Population, seed: number, briefs = 40_000): readonly number[] {
  const random = seeded(seed)
  const pairs = pairsOf(population.strengths.length)
  const sums = pairs.map(() => 0)
  for (let each = 0; each < briefs; each += 1) {
    const strengths = atBrief(population, random)
    for (const [place, [a, b]] of pairs.entries()) sums[place] = (sums[place] ?? 0) + wins(strengths, a, b)
  }
  const comparisons = pairs.map(([a, b], place) => ({ a, b, score: (sums[place] ?? 0) / briefs, cluster: 0 }))
  const priorSd = Number.POSITIVE_INFINITY
  return bradleyTerry(comparisons, { participants: population.strengths.length, clusters: 1, priorSd })?.strengths ?? []
}

/** Returns the same limit by rubric: the given points. */
export function rubricLimit({ strengths }: Population): readonly number[] {
  const mean = strengths.reduce((sum, each) => sum + each, 0) / strengths.length
  return strengths.map((each) => 10 * (each - mean))
}
