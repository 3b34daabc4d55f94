import type { ContestConfig } from '../config/contest-schema.ts'
import { agreementOf } from './agreement/agreement.ts'
import type { Rating } from './cards/ratings.ts'
import type { Agreement, Ranked, Strength, Verdict } from './contest-summary.ts'
import { hundredths } from './score.ts'
import { bradleyTerry } from './strength/bradley-terry.ts'
import { type Clusters, clustersOf } from './strength/clusters.ts'
import { differencesOf } from './strength/differences.ts'
import type { Estimate } from './strength/estimate.ts'
import { firstPlaceOf } from './strength/first-place.ts'
import { type Interval, intervalAround, intervalsOf } from './strength/intervals.ts'
import { leastSquares } from './strength/least-squares.ts'
import { ranksOf, tieredRanges } from './strength/ranks.ts'
import { type Competitor, isByPairs, type Judged, judgedIn, type Work } from './work.ts'

/** A fixed seed, so that a repeated report has the same numbers. */
const seed = 1

/** The order by judges, with its statistical uncertainty. */
export interface Certainty {
  /** The score and strength of each participant that is compared. Empty if they cannot be compared with each other. */
  readonly standings: ReadonlyMap<string, Pick<Ranked, 'score' | 'interval' | 'strength'>>
  readonly verdict: Omit<Verdict, 'sentence'>
  /** True if all judges, or all briefs, show the same differences at the front, which is still open. */
  readonly isUniform: boolean
  readonly unit: Strength['unit']
  /** Returns how much stronger the first one is, in the unit; null if they are not compared with each other. */
  difference(first: string, second: string): Difference | null
}

/** A difference between two strengths. `error`: its standard error; null for fewer than three clusters. */
export interface Difference {
  readonly value: number
  readonly error: number | null
  readonly degrees: number
}

/** Returns the tier of a participant. The best tier has the smallest number. */
export type TierOf = (participant: string) => number

/**
 * The fewest briefs, and the smallest share of them, in which a participant must have been judged. With fewer, its critical values are so
 * large (25.5 standard errors at two briefs) that nobody could be told apart from it, and nobody could lead.
 */
const [fewestBriefs, leastShare] = [3, 1 / 3]

/**
 * Returns the judges' order of these works with its statistical uncertainty, by pairs if the judges compared any; null if nothing was
 * judged. Judges order only participants of the same tier. Participants that were judged in too few briefs are named, and not compared.
 */
export function certaintyOf(works: readonly Work[], all: readonly Competitor[], tierOf: TierOf = () => 0): Certainty | null {
  const byPairs = isByPairs(works)
  const names = judgedIn(
    works,
    all.map(({ name }) => name),
  )
  if (names.length === 0) return null
  const { compared, apart } = comparedIn(works, names)
  const judged = all.filter(({ name }) => compared.includes(name))
  const places = new Map(judged.map(({ name }, place) => [name, place]))
  const { estimate, by, count, scale } = byPairs ? estimateByPairs(works, places) : estimateByRubric(works, places)
  const clusters = { by, count }
  const unit = byPairs ? 'log odds' : 'points'
  if (estimate === null)
    return {
      standings: new Map(),
      verdict: { leader: null, front: [], cheapest: null, clusters, toSettle: null, byChecks: false, apart },
      isUniform: false,
      unit,
      difference: () => null,
    }
  const tiers = judged.map(({ name }) => tierOf(name))
  const differences = differencesOf(estimate)
  const ranges = tieredRanges(ranksOf(estimate, { seed }, differences), tiers)
  const first = firstPlaceOf(
    estimate,
    judged.map(({ costUsd }) => costUsd),
    tiers,
    differences,
  )
  const nameAt = (place: number | null): string | null => (place === null ? null : (judged[place]?.name ?? null))
  const intervals = intervalsOf(estimate)?.strengths ?? null
  return {
    isUniform: first.isUniform,
    unit,
    difference(one, other) {
      const [a, b] = [places.get(one), places.get(other)]
      if (a === undefined || b === undefined) return null
      if (differences === null) return { value: (estimate.strengths[a] ?? 0) - (estimate.strengths[b] ?? 0), error: null, degrees: 0 }
      const error = differences.errorOf(a, b)
      return { value: differences.of(a, b), error, degrees: error === 0 ? 0 : differences.degreesOf(a, b) }
    },
    standings: new Map(
      judged.map(({ name }, place) => {
        const own = estimate.strengths[place] ?? 0
        const interval = intervals?.[place] ?? null
        const behind = first.behind[place] ?? null
        const strength: Strength = {
          unit,
          estimate: hundredths(own),
          interval: interval === null ? null : { low: hundredths(interval.low), high: hundredths(interval.high) },
          ranks: ranges[place] ?? null,
          behind: behind === null ? null : hundredths(scale.behind(place, behind)),
        }
        const shown = scale.interval(place)
        return [
          name,
          {
            score: hundredths(scale.score(place)),
            interval: shown === null ? null : { min: hundredths(within(shown.low)), max: hundredths(within(shown.high)) },
            strength,
          },
        ]
      }),
    ),
    verdict: {
      leader: nameAt(first.leader),
      front: first.front.flatMap((place) => nameAt(place) ?? []),
      cheapest: first.front.length > 1 ? nameAt(first.cheapest) : null,
      clusters,
      toSettle: first.toSettle,
      byChecks: tiers.length > 1 && tiers.filter((each) => each === Math.min(...tiers)).length === 1,
      apart,
    },
  }
}

/**
 * Returns which participants can be compared, and which were judged together with others in too few briefs. One that is left out can leave
 * another without company, so this repeats until nothing changes. With one brief, all are compared.
 */
function comparedIn(works: readonly Work[], names: readonly string[]): { compared: string[]; apart: Verdict['apart'][number][] } {
  const all = new Set(works.flatMap((work) => (metIn(work, names).length > 0 ? [work.brief] : [])))
  let compared = [...names]
  const apart: Verdict['apart'][number][] = []
  if (all.size < fewestBriefs) return { compared, apart }
  for (;;) {
    const met = works.flatMap((work) => metIn(work, compared).map((name) => ({ name, brief: work.brief })))
    const few = compared.flatMap((name) => {
      const briefs = new Set(met.filter((each) => each.name === name).map(({ brief }) => brief)).size
      return briefs < fewestBriefs || briefs < leastShare * all.size ? [{ name, why: 'few-briefs' as const, briefs }] : []
    })
    if (few.length === 0 || few.length === compared.length) return { compared, apart }
    apart.push(...few)
    compared = compared.filter((name) => few.every((each) => each.name !== name))
  }
}

/** Returns which of these participants were judged together with another of them in a work. */
function metIn({ rows, compared }: Work, names: readonly string[]): string[] {
  const counts = (name: string): boolean => names.includes(name)
  if (compared.length > 0) return [...new Set(compared.flatMap(({ a, b }) => (counts(a) && counts(b) ? [a, b] : [])))]
  const rated = rows.flatMap(({ name, judgements }) => (counts(name) ? judgements.map(({ judge }) => ({ name, judge })) : []))
  const byJudge = [...Map.groupBy(rated, ({ judge }) => judge).values()].filter((own) => own.length > 1)
  return [...new Set(byJudge.flatMap((own) => own.map(({ name }) => name)))]
}

/** How strengths are shown: as scores from 0 to 100. A participant is identified by its index. */
interface Scale {
  score(place: number): number
  /** The 95% interval of the score; null if it is not known. */
  interval(place: number): Interval | null
  /** Returns how many points of 100 a difference in strength, by which the participant is behind, is worth. */
  behind(place: number, difference: number): number
}

interface Estimated extends Pick<Clusters, 'by'> {
  readonly estimate: Estimate | null
  /** The number of clusters. */
  readonly count: number
  readonly scale: Scale
}

const noScale: Scale = { score: () => 0, interval: () => null, behind: () => 0 }

function estimateByRubric(works: readonly Work[], places: ReadonlyMap<string, number>): Estimated {
  const given = works.flatMap(({ brief, rows }) =>
    [
      ...Map.groupBy(
        ratingsOf(brief, rows).filter(({ participant }) => places.has(participant)),
        ({ judge }) => judge,
      ).entries(),
    ].map(([judge, ratings]) => ({ brief, judge, ratings })),
  )
  const { by, names, placeOf } = clustersOf(given)
  const blocks = given.map((block) => ({
    cluster: placeOf(block),
    points: new Map(block.ratings.map(({ participant, points }) => [places.get(participant) ?? -1, points])),
  }))
  const estimate = leastSquares(blocks, { participants: places.size, clusters: names.length })
  return { estimate, by, count: names.length, scale: estimate === null ? noScale : scaleOfPoints(estimate, blocks) }
}

/**
 * Returns scores that are a common mean plus the strength in points. They equal the mean of the points if nothing is missing, and they are
 * in the order of the strengths in any case.
 */
function scaleOfPoints(estimate: Estimate, blocks: readonly { readonly points: ReadonlyMap<number, number> }[]): Scale {
  const { strengths } = estimate
  const rests = blocks.flatMap(({ points }) => [...points].map(([place, value]) => value - (strengths[place] ?? 0)))
  const middle = rests.reduce((sum, each) => sum + each, 0) / Math.max(1, rests.length)
  const intervals = intervalsOf(estimate)?.strengths ?? null
  return {
    score: (place) => within(middle + (strengths[place] ?? 0)),
    interval(place) {
      const own = intervals?.[place] ?? null
      return own === null ? null : { estimate: middle + own.estimate, low: middle + own.low, high: middle + own.high }
    },
    behind: (_, difference) => difference,
  }
}

function estimateByPairs(works: readonly Work[], places: ReadonlyMap<string, number>): Estimated {
  const { comparisons, by, count } = comparisonsIn(works, places)
  const estimate = bradleyTerry(comparisons, { participants: places.size, clusters: count })
  return { estimate, by, count, scale: estimate === null ? noScale : scaleOfShares(estimate) }
}

/** Returns scores that are shares of comparisons won against all others. */
export function scaleOfShares(estimate: Estimate): Scale {
  const { strengths } = estimate
  const score = (place: number): number => shareAt(strengths[place] ?? 0, place, strengths)
  return {
    score,
    interval: (place) => intervalAround(estimate, gradientOfShare(place, estimate), score(place)),
    behind: (place, difference) => shareAt((strengths[place] ?? 0) + difference, place, strengths) - score(place),
  }
}

/** Returns the derivatives of a participant's share, out of 100, by each strength and then each coefficient. */
function gradientOfShare(place: number, { strengths, coefficients }: Estimate): number[] {
  const slopes = strengths.map((other, at) => {
    if (at === place) return 0
    const p = 1 / (1 + Math.exp(other - (strengths[place] ?? 0)))
    return (100 * p * (1 - p)) / Math.max(1, strengths.length - 1)
  })
  const total = slopes.reduce((sum, each) => sum + each, 0)
  return [...slopes.map((slope, at) => (at === place ? total : -slope)), ...coefficients.map(() => 0)]
}

/**
 * Returns the judges' comparisons of these participants in these works, in the form and order for bradleyTerry. `places` maps participants
 * to their indices.
 */
export function comparisonsIn(works: readonly Work[], places: ReadonlyMap<string, number>) {
  const pairs = works.flatMap(({ brief, compared }) =>
    compared.flatMap((each) => (places.has(each.a) && places.has(each.b) ? [{ brief, ...each }] : [])),
  )
  const { by, names, placeOf } = clustersOf(pairs)
  const comparisons = pairs.map((each) => ({
    a: places.get(each.a) ?? -1,
    b: places.get(each.b) ?? -1,
    score: each.score,
    cluster: placeOf(each),
  }))
  return { comparisons, by, count: names.length }
}

/** Returns the share of comparisons, out of 100, that a participant of this strength wins against all others. */
function shareAt(strength: number, place: number, strengths: readonly number[]): number {
  const others = strengths.filter((_, other) => other !== place)
  if (others.length === 0) return 100
  return (100 * others.reduce((sum, other) => sum + 1 / (1 + Math.exp(other - strength)), 0)) / others.length
}

function within(score: number): number {
  return Math.max(0, Math.min(100, score))
}

/** Returns the agreement of judges by dimension of the rubric, over submissions. */
export function agreementsOf(rubric: ContestConfig['rubric'], judges: readonly string[], rows: readonly Judged[]): Agreement[] {
  if (rubric === undefined || judges.length < 2) return []
  const scale = stepsOf(rubric.scale)
  return rubric.dimensions.map(({ id }) => {
    const units = rows.map(({ judgements }) =>
      judges.map((judge) => judgements.find((each) => each.judge === judge)?.dimensions[id] ?? null),
    )
    return { dimension: id, ...agreementOf(units, scale) }
  })
}

/** Returns the judges' scores as ratings of one brief. */
export function ratingsOf(brief: string, rows: readonly Judged[]): Rating[] {
  return rows.flatMap(({ name, judgements }) => judgements.map(({ judge, score }) => ({ brief, participant: name, judge, points: score })))
}

/** Returns all whole steps of a scale; null if it does not have whole steps. */
function stepsOf({ min, max }: { readonly min: number; readonly max: number }): number[] | null {
  if (!Number.isInteger(min) || !Number.isInteger(max) || max - min > 100) return null
  return Array.from({ length: max - min + 1 }, (_, step) => min + step)
}
