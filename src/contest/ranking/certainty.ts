import type { ContestConfig } from '../config/schema.ts'
import type { Agreement, Ranked, ReportCard, Strength, Verdict } from '../report/summary.ts'
import { agreementOf } from './agreement/agreement.ts'
import { deviationsOf } from './cards/deviations.ts'
import type { Rating } from './cards/ratings.ts'
import { severityOf } from './cards/severity.ts'
import { spreadOfJudge } from './cards/spread.ts'
import { clustersOf } from './strength/clusters.ts'
import type { Estimate } from './strength/estimate.ts'
import { intervalsOf } from './strength/intervals.ts'
import { leastSquares } from './strength/least-squares.ts'
import { type Ranks, ranksOf } from './strength/ranks.ts'
import { verdictOf } from './strength/verdict.ts'

/** So that a report that is made again says the same. */
const seed = 1

/** How sure the scores of judges are. */
export interface Certainty {
  /** By participant; empty if nothing compares some of them with the others. */
  readonly strengths: ReadonlyMap<string, Strength>
  readonly verdict: Omit<Verdict, 'sentence'>
}

type Judged = Pick<Ranked, 'name' | 'judgements' | 'costUsd'>

/** Returns how sure the order is that judges gave to these submissions of one brief; null if none of them has a score. */
export function certaintyOf(brief: string, rows: readonly Judged[]): Certainty | null {
  const judged = rows.filter(({ judgements }) => judgements.length > 0)
  const ratings = ratingsOf(brief, judged)
  if (ratings.length === 0) return null
  const { by, names, placeOf } = clustersOf(ratings)
  const places = new Map(judged.map(({ name }, place) => [name, place]))
  const blocks = [...Map.groupBy(ratings, ({ judge }) => judge).values()].map((block) => ({
    cluster: placeOf(block[0] as Rating),
    points: new Map(block.map(({ participant, points }) => [places.get(participant) ?? -1, points])),
  }))
  const estimate = leastSquares(blocks, { participants: judged.length, clusters: names.length })
  const clusters = { by, count: names.length }
  if (estimate === null) return { strengths: new Map(), verdict: { leader: null, front: [], cheapest: null, clusters, toSettle: null } }
  const ranks = ranksOf(estimate, { seed })
  const { leader, front, cheapest, clustersToSettle } = verdictOf(
    estimate,
    ranks,
    judged.map(({ costUsd }) => costUsd),
  )
  const nameAt = (place: number | null): string | null => (place === null ? null : (judged[place]?.name ?? null))
  return {
    strengths: strengthsOf(judged, estimate, ranks),
    verdict: {
      leader: nameAt(leader),
      front: front.flatMap((place) => nameAt(place) ?? []),
      cheapest: front.length > 1 ? nameAt(cheapest) : null,
      clusters,
      toSettle: clustersToSettle,
    },
  }
}

function strengthsOf(judged: readonly Judged[], estimate: Estimate, ranks: Ranks | null): ReadonlyMap<string, Strength> {
  const intervals = intervalsOf(estimate)
  return new Map(
    judged.map(({ name }, place) => {
      const interval = intervals?.strengths[place]
      return [
        name,
        {
          estimate: hundredths(estimate.strengths[place] ?? 0),
          interval: interval === undefined ? null : { low: hundredths(interval.low), high: hundredths(interval.high) },
          ranks: ranks?.ranges[place] ?? null,
        },
      ]
    }),
  )
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

/** Returns the report card of a judge; null if it gave no scores. */
export function cardOf(judge: string, brief: string, rows: readonly Judged[]): ReportCard | null {
  const ratings = ratingsOf(brief, rows)
  if (!ratings.some((each) => each.judge === judge)) return null
  const severity = severityOf(deviationsOf(judge, ratings))
  const spread = spreadOfJudge(judge, ratings)
  return {
    severity: severity === null ? null : hundredths(severity.mean),
    spread: spread === null ? null : hundredths(spread.sd),
    spreadBeyondOthers: spread?.beyondOthers ? hundredths(spread.beyondOthers.mean) : null,
  }
}

function ratingsOf(brief: string, rows: readonly Judged[]): Rating[] {
  return rows.flatMap(({ name, judgements }) => judgements.map(({ judge, score }) => ({ brief, participant: name, judge, points: score })))
}

/** All whole steps of a scale; null if it does not go in whole steps. */
function stepsOf({ min, max }: { readonly min: number; readonly max: number }): number[] | null {
  if (!Number.isInteger(min) || !Number.isInteger(max) || max - min > 100) return null
  return Array.from({ length: max - min + 1 }, (_, step) => min + step)
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
