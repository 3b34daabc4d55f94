import { holm } from '../probability/holm.ts'
import { studentTwoSided } from '../probability/student.ts'
import { average } from './deviations.ts'
import type { Rating } from './ratings.ts'

/** A participant that a judge rates far above what the others' ratings and the judge's own level predict. */
export interface Favourite {
  readonly judge: string
  readonly participant: string
  /** The mean over briefs, in points of 100. */
  readonly points: number
}

const [leastJudges, leastBriefs, leastPoints] = [3, 6, 15]

/**
 * Returns the favourites of judges: one test for each judge and participant that the mean is over 15 points (one-sided t test with the
 * judge's pooled variance), with Holm's correction over all of them. Empty for fewer than three judges or six briefs.
 */
export function favouritesOf(ratings: readonly Rating[]): Favourite[] {
  const judges = [...new Set(ratings.map(({ judge }) => judge))]
  if (judges.length < leastJudges) return []
  const cells = judges.flatMap((judge) => {
    const excess = excessesOf(judge, ratings)
    const own = [...Map.groupBy(excess, ({ participant }) => participant)].flatMap(([participant, each]) => {
      const values = each.map(({ points }) => points)
      const mean = average(values) ?? 0
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      return values.length < leastBriefs ? [] : [{ judge, participant, points: mean, briefs: values.length, squares }]
    })
    const degrees = own.reduce((sum, { briefs }) => sum + briefs - 1, 0)
    const variance = own.reduce((sum, { squares }) => sum + squares, 0) / degrees
    // The excesses of one judge in one brief add up to zero.
    const free = (degrees * (own.length - 1)) / own.length
    return own.map((each) => ({ ...each, p: probability(each.points - leastPoints, Math.sqrt(variance / each.briefs), free) }))
  })
  const significant = holm(cells.map(({ p }) => p))
  return cells.filter((_, at) => significant[at]).map(({ judge, participant, points }) => ({ judge, participant, points }))
}

/** Returns, for each brief and participant, the judge's points above other judges' mean, minus the same for all other participants. */
function excessesOf(judge: string, ratings: readonly Rating[]): { readonly participant: string; readonly points: number }[] {
  const byBrief = [...Map.groupBy(ratings, ({ brief }) => brief).values()]
  return byBrief.flatMap((brief) => {
    const above = [...Map.groupBy(brief, ({ participant }) => participant)].flatMap(([participant, all]) => {
      const own = average(all.filter((each) => each.judge === judge).map(({ points }) => points))
      const others = average(all.filter((each) => each.judge !== judge).map(({ points }) => points))
      return own === null || others === null ? [] : [{ participant, points: own - others }]
    })
    return above.flatMap(({ participant, points }) => {
      const rest = average(above.filter((each) => each.participant !== participant).map((each) => each.points))
      return rest === null ? [] : [{ participant, points: points - rest }]
    })
  })
}

/** Returns the one-sided probability of an excess this high. */
function probability(excess: number, error: number, degrees: number): number {
  if (excess <= 0 || degrees <= 0) return 1
  return error === 0 ? 0 : studentTwoSided(excess / error, degrees) / 2
}
