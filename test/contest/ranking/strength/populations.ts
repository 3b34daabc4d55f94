import { seeded } from '../../../../src/contest/ranking/probability/random.ts'
import { bradleyTerry } from '../../../../src/contest/ranking/strength/bradley-terry.ts'
import type { Judged, Work } from '../../../../src/contest/ranking/work.ts'

type Random = () => number

/** A population of participants, judges and briefs, from which suites are drawn. Points are out of 100. */
export interface Population {
  readonly mode: 'rubric' | 'pairs'
  /** The true points of each participant, before the noise of briefs and judges. */
  readonly points: readonly number[]
  /** The standard deviation of each judge's noise. */
  readonly judges: readonly number[]
  /** The standard deviation of how well a brief suits a participant. */
  readonly suits?: number
  /** Draws noise of standard deviation 1; normal by default. */
  readonly noise?: (random: Random) => number
  /** What a judge writes down for a worth; any number by default. */
  readonly written?: (worth: number) => number
  /** The share of answers that are missing. */
  readonly missing?: number
  /** The number of briefs in which the last participant takes part; all by default. */
  readonly briefsOfLast?: number
  /** The share of briefs in which each participant gets no more than 5 points from anybody. */
  readonly failing?: readonly number[]
  /** Whether a judge scores a participant. */
  readonly isSeen?: (judge: number, participant: number) => boolean
}

/** Draws from the standard normal distribution (Box and Muller 1958). */
export const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Draws from Student's t with 3 degrees of freedom, divided by its standard deviation. */
export const heavy = (random: Random): number =>
  normal(random) / Math.sqrt((normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2) / 3) / Math.sqrt(3)

const onScale = (worth: number): number => Math.max(0, Math.min(100, worth))
/** A scale of 1 to 5, as points out of 100. */
export const likert = (worth: number): number => onScale(25 * Math.round(worth / 25))
export const ceiling = (worth: number): number => onScale(5 * Math.round(worth / 5))
export const check = (worth: number): number => (worth >= 50 ? 100 : 0)

export const nameOf = (place: number): string => `p${place}`

/** Returns the chance that a judge with this noise prefers the better of two works. A logistic curve is close to normal noise. */
const prefers = (difference: number, noise: number): number => 1 / (1 + Math.exp(-difference / Math.max(1, noise)))

/** Returns the works of a suite with this number of briefs. */
export function suiteOf(population: Population, briefs: number, random: Random): Work[] {
  const { mode, points, judges, suits = 7, noise = normal, written = (worth) => worth, missing = 0.1, failing = [] } = population
  const { briefsOfLast = briefs, isSeen = () => true } = population
  return Array.from({ length: briefs }, (_, number) => {
    const ease = 6 * noise(random)
    const worths = points.map((each, place) => (random() < (failing[place] ?? 0) ? 5 : each + ease + suits * noise(random)))
    const present = points.map((_each, place) => place).filter((place) => place < points.length - 1 || number < briefsOfLast)
    const isKept = (): boolean => random() >= missing
    const rows: Judged[] = present.map((place) => ({
      name: nameOf(place),
      judgements:
        mode === 'pairs'
          ? []
          : judges.flatMap((sd, judge) =>
              isSeen(judge, place) && isKept()
                ? [{ judge: `j${judge}`, dimensions: {}, score: written((worths[place] ?? 0) + 5 * judge + sd * noise(random)) }]
                : [],
            ),
    }))
    const pairs = present.flatMap((a) => present.filter((b) => b > a).map((b) => [a, b] as const))
    const compared =
      mode === 'rubric'
        ? []
        : judges.flatMap((sd, judge) =>
            pairs.flatMap(([a, b]) => {
              if (!isKept()) return []
              const p = prefers((worths[a] ?? 0) - (worths[b] ?? 0), sd)
              const orders = { shownFirst: Number(random() < p), shownSecond: Number(random() < p) }
              return [{ judge: `j${judge}`, a: nameOf(a), b: nameOf(b), orders, score: (orders.shownFirst + orders.shownSecond) / 2 }]
            }),
          )
    return { brief: `b${number}`, rows, compared, sizes: new Map(), losers: [] }
  })
}

/** What a suite with more and more briefs finds: strengths that sum to zero and, by pairs, shares out of 100. */
export interface Truth {
  readonly strengths: readonly number[]
  readonly shares: readonly number[]
}

/** Returns the limit of what suites of this population find. A participant of few briefs takes part in all of them here. */
export function truthOf({ briefsOfLast: _, ...population }: Population, seed: number, briefs = 20_000): Truth {
  const n = population.points.length
  const places = Array.from({ length: n }, (_each, place) => place)
  const works = suiteOf({ ...population, missing: 0, isSeen: () => true }, briefs, seeded(seed))
  if (population.mode === 'rubric') {
    const means = places.map((place) => {
      const scores = works.flatMap(({ rows }) => rows[place]?.judgements.map(({ score }) => score) ?? [])
      return scores.reduce((sum, each) => sum + each, 0) / scores.length
    })
    const middle = means.reduce((sum, each) => sum + each, 0) / n
    return { strengths: means.map((each) => each - middle), shares: means }
  }
  const totals = new Map<string, { a: number; b: number; score: number; count: number }>()
  for (const { compared } of works)
    for (const { a, b, score } of compared) {
      const known = totals.get(a + b) ?? { a: Number(a.slice(1)), b: Number(b.slice(1)), score: 0, count: 0 }
      totals.set(a + b, { ...known, score: known.score + score, count: known.count + 1 })
    }
  const comparisons = [...totals.values()].map(({ a, b, score, count }) => ({ a, b, score: score / count, cluster: 0 }))
  const found = bradleyTerry(comparisons, { participants: n, clusters: 1, priorSd: Number.POSITIVE_INFINITY })
  const strengths = found?.strengths ?? []
  const shares = places.map((place) =>
    places
      .filter((other) => other !== place)
      .reduce((sum, other) => sum + 100 / (1 + Math.exp((strengths[other] ?? 0) - (strengths[place] ?? 0))), 0),
  )
  return { strengths, shares: shares.map((each) => each / (n - 1)) }
}
