import type { ContestConfig } from '../config/contest-schema.ts'
import { agreementOf } from './agreement/agreement.ts'
import type { Rating } from './cards/ratings.ts'
import type { Agreement, Ranked, Strength, Verdict } from './contest-summary.ts'
import { hundredths } from './score.ts'
import { bradleyTerry } from './strength/bradley-terry.ts'
import { type Clusters, clustersOf } from './strength/clusters.ts'
import type { Estimate } from './strength/estimate.ts'
import { intervalsOf } from './strength/intervals.ts'
import { leastSquares } from './strength/least-squares.ts'
import { ranksOf, tieredRanks } from './strength/ranks.ts'
import { verdictOf } from './strength/verdict-of-ranks.ts'
import { type Competitor, type Judged, judgedIn, type Work } from './work.ts'

/** A fixed seed, so that a repeated report has the same numbers. */
const seed = 1

/** The order by judges, with its statistical uncertainty. */
export interface Certainty {
  /** The score and strength of each participant. Empty if some participants cannot be compared with the others. */
  readonly standings: ReadonlyMap<string, Pick<Ranked, 'score' | 'interval' | 'strength'>>
  readonly verdict: Omit<Verdict, 'sentence'>
  /** True if all judges, or all briefs, show the same differences at the front, which is still open. */
  readonly isUniform: boolean
}

/** Returns the tier of a participant. The best tier has the smallest number. */
export type TierOf = (participant: string) => number

/**
 * Returns the judges' order of these works with its statistical uncertainty, by pairs if the judges compared any; null if nothing was
 * judged. Judges order only participants of the same tier.
 */
export function certaintyOf(works: readonly Work[], all: readonly Competitor[], tierOf: TierOf = () => 0): Certainty | null {
  const names = judgedIn(
    works,
    all.map(({ name }) => name),
  )
  const judged = all.filter(({ name }) => names.includes(name))
  if (judged.length === 0) return null
  const places = new Map(judged.map(({ name }, place) => [name, place]))
  const isByPairs = works.some(({ compared }) => compared.length > 0)
  const { estimate, by, count } = isByPairs ? byPairs(works, places) : byRubric(works, places)
  const clusters = { by, count }
  if (estimate === null)
    return {
      standings: new Map(),
      verdict: { leader: null, front: [], cheapest: null, clusters, toSettle: null, byChecks: false },
      isUniform: false,
    }
  const tiers = judged.map(({ name }) => tierOf(name))
  const strengthRanks = ranksOf(estimate, { seed })
  const ranks = strengthRanks === null ? null : tieredRanks(strengthRanks, tiers)
  const { leader, front, cheapest, clustersToSettle, isUniform } = verdictOf(
    estimate,
    ranks,
    judged.map(({ costUsd }) => costUsd),
    tiers,
  )
  const nameAt = (place: number | null): string | null => (place === null ? null : (judged[place]?.name ?? null))
  const intervals = intervalsOf(estimate)?.strengths ?? null
  const unit = isByPairs ? 'log odds' : 'points'
  return {
    isUniform,
    standings: new Map(
      judged.map(({ name, score }, place) => {
        const own = estimate.strengths[place] ?? 0
        const interval = intervals?.[place] ?? null
        const at = (strength: number): number =>
          unit === 'points' ? within((score ?? 0) + strength - own) : shareAt(strength, place, estimate.strengths)
        const strength: Strength = {
          unit,
          estimate: hundredths(own),
          interval: interval === null ? null : { low: hundredths(interval.low), high: hundredths(interval.high) },
          ranks: ranks?.ranges[place] ?? null,
        }
        return [
          name,
          {
            score: hundredths(unit === 'points' ? (score ?? 0) : at(own)),
            interval: interval === null ? null : { min: hundredths(at(interval.low)), max: hundredths(at(interval.high)) },
            strength,
          },
        ]
      }),
    ),
    verdict: {
      leader: nameAt(leader),
      front: front.flatMap((place) => nameAt(place) ?? []),
      cheapest: front.length > 1 ? nameAt(cheapest) : null,
      clusters,
      toSettle: clustersToSettle,
      byChecks: tiers.length > 1 && tiers.filter((each) => each === Math.min(...tiers)).length === 1,
    },
  }
}

interface Estimated extends Pick<Clusters, 'by'> {
  readonly estimate: Estimate | null
  /** The number of clusters. */
  readonly count: number
}

function byRubric(works: readonly Work[], places: ReadonlyMap<string, number>): Estimated {
  const given = works.flatMap(({ brief, rows }) =>
    [...Map.groupBy(ratingsOf(brief, rows), ({ judge }) => judge).entries()].map(([judge, ratings]) => ({ brief, judge, ratings })),
  )
  const { by, names, placeOf } = clustersOf(given)
  const blocks = given.map((block) => ({
    cluster: placeOf(block),
    points: new Map(block.ratings.map(({ participant, points }) => [places.get(participant) ?? -1, points])),
  }))
  return { estimate: leastSquares(blocks, { participants: places.size, clusters: names.length }), by, count: names.length }
}

function byPairs(works: readonly Work[], places: ReadonlyMap<string, number>): Estimated {
  const { comparisons, by, count } = comparisonsIn(works, places)
  return { estimate: bradleyTerry(comparisons, { participants: places.size, clusters: count }), by, count }
}

/** Returns the judges' comparisons in these works, in the form and order for bradleyTerry. `places` maps participants to their indices. */
export function comparisonsIn(works: readonly Work[], places: ReadonlyMap<string, number>) {
  const pairs = works.flatMap(({ brief, compared }) => compared.map((each) => ({ brief, ...each })))
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
export function shareAt(strength: number, place: number, strengths: readonly number[]): number {
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
