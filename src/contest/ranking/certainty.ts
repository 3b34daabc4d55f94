import type { ContestConfig } from '../config/schema.ts'
import type { Agreement, Ranked, Strength, Verdict } from '../report/summary.ts'
import { agreementOf } from './agreement/agreement.ts'
import type { Rating } from './cards/ratings.ts'
import type { Compared } from './pairs.ts'
import { hundredths } from './score.ts'
import { bradleyTerry } from './strength/bradley-terry.ts'
import { type Clusters, clustersOf } from './strength/clusters.ts'
import type { Estimate } from './strength/estimate.ts'
import { intervalsOf } from './strength/intervals.ts'
import { leastSquares } from './strength/least-squares.ts'
import { ranksOf, tieredRanks } from './strength/ranks.ts'
import { verdictOf } from './strength/verdict.ts'

/** So that a report that is made again says the same. */
const seed = 1

/** How sure the order is that judges gave. */
export interface Certainty {
  /** By participant; empty if nothing compares some of them with the others. */
  readonly standings: ReadonlyMap<string, Pick<Ranked, 'score' | 'interval' | 'strength'>>
  readonly verdict: Omit<Verdict, 'sentence'>
}

export type Judged = Pick<Ranked, 'name' | 'judgements' | 'score' | 'costUsd'>

/** Which tier a participant is in, the best being the smallest number. */
export type TierOf = (participant: string) => number

/**
 * Returns how sure the order is that judges gave to these submissions of one brief, by pairs if they compared some; null if nobody judged. Judges
 * order only those of the same tier.
 */
export function certaintyOf(
  brief: string,
  rows: readonly Judged[],
  compared: readonly Compared[],
  tierOf: TierOf = () => 0,
): Certainty | null {
  const judged = rows.filter(({ name, judgements }) =>
    compared.length > 0 ? compared.some(({ a, b }) => name === a || name === b) : judgements.length > 0,
  )
  if (judged.length === 0) return null
  const places = new Map(judged.map(({ name }, place) => [name, place]))
  const { estimate, by, count } = compared.length > 0 ? byPairs(brief, places, compared) : byRubric(brief, places, judged)
  const clusters = { by, count }
  if (estimate === null)
    return { standings: new Map(), verdict: { leader: null, front: [], cheapest: null, clusters, toSettle: null, byChecks: false } }
  const tiers = judged.map(({ name }) => tierOf(name))
  const strengthRanks = ranksOf(estimate, { seed })
  const ranks = strengthRanks === null ? null : tieredRanks(strengthRanks, tiers)
  const { leader, front, cheapest, clustersToSettle } = verdictOf(
    estimate,
    ranks,
    judged.map(({ costUsd }) => costUsd),
    tiers,
  )
  const nameAt = (place: number | null): string | null => (place === null ? null : (judged[place]?.name ?? null))
  const intervals = intervalsOf(estimate)?.strengths ?? null
  const unit = compared.length > 0 ? 'log odds' : 'points'
  return {
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
  /** Of clusters. */
  readonly count: number
}

function byRubric(brief: string, places: ReadonlyMap<string, number>, judged: readonly Judged[]): Estimated {
  const ratings = ratingsOf(brief, judged)
  const { by, names, placeOf } = clustersOf(ratings)
  const blocks = [...Map.groupBy(ratings, ({ judge }) => judge).values()].map((block) => ({
    cluster: placeOf(block[0] as Rating),
    points: new Map(block.map(({ participant, points }) => [places.get(participant) ?? -1, points])),
  }))
  return { estimate: leastSquares(blocks, { participants: places.size, clusters: names.length }), by, count: names.length }
}

function byPairs(brief: string, places: ReadonlyMap<string, number>, compared: readonly Compared[]): Estimated {
  const { by, names, placeOf } = clustersOf(compared.map(({ judge }) => ({ brief, judge })))
  const comparisons = compared.map(({ judge, a, b, score }) => ({
    a: places.get(a) ?? -1,
    b: places.get(b) ?? -1,
    score,
    cluster: placeOf({ brief, judge }),
  }))
  return { estimate: bradleyTerry(comparisons, { participants: places.size, clusters: names.length }), by, count: names.length }
}

/** The share of comparisons, of 100, that somebody of this strength wins against all others. */
function shareAt(strength: number, place: number, strengths: readonly number[]): number {
  const others = strengths.filter((_, other) => other !== place)
  if (others.length === 0) return 100
  return (100 * others.reduce((sum, other) => sum + 1 / (1 + Math.exp(other - strength)), 0)) / others.length
}

function within(score: number): number {
  return Math.max(0, Math.min(100, score))
}

/** Returns how much judges agree, by dimension of the rubric, over submissions. */
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

/** Returns what judges gave as ratings of one brief. */
export function ratingsOf(brief: string, rows: readonly Pick<Judged, 'name' | 'judgements'>[]): Rating[] {
  return rows.flatMap(({ name, judgements }) => judgements.map(({ judge, score }) => ({ brief, participant: name, judge, points: score })))
}

/** All whole steps of a scale; null if it does not go in whole steps. */
function stepsOf({ min, max }: { readonly min: number; readonly max: number }): number[] | null {
  if (!Number.isInteger(min) || !Number.isInteger(max) || max - min > 100) return null
  return Array.from({ length: max - min + 1 }, (_, step) => min + step)
}
