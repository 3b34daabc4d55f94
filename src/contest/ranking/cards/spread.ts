import { type Mean, meanOf } from '../probability/mean.ts'
import { average, median } from './deviations.ts'
import type { Rating } from './ratings.ts'

export interface Spread {
  /**
   * The standard deviation of the judge's points for the submissions of one brief, as a mean over briefs. It is 0 for a judge that gives
   * all submissions equal points.
   */
  readonly sd: number
  /** `sd` minus the median of other judges' for the same submissions; null if the judges share no brief with two submissions. */
  readonly beyondOthers: Mean | null
}

/** Returns the spread of a judge's points, out of 100; null if the judge did not rate two submissions of any brief. */
export function spreadOfJudge(judge: string, ratings: readonly Rating[], others: readonly string[]): Spread | null {
  const briefs = [...Map.groupBy(ratings, ({ brief }) => brief).values()]
  const sd = average(
    briefs
      .map((brief) => deviation(brief.filter((each) => each.judge === judge).map(({ points }) => points)))
      .filter((each) => each !== null),
  )
  return sd === null
    ? null
    : { sd, beyondOthers: meanOf(briefs.map((brief) => beyond(judge, brief, others)).filter((each) => each !== null)) }
}

/**
 * Returns, for one brief, the judge's standard deviation minus another judge's over the submissions that both rated, as the median over
 * `others`.
 */
function beyond(judge: string, rows: readonly Rating[], others: readonly string[]): number | null {
  const byJudge = Map.groupBy(rows, (each) => each.judge)
  const own = new Map(byJudge.get(judge)?.map(({ participant, points }) => [participant, points]))
  const differences = others.flatMap((other) => {
    const shared = (byJudge.get(other) ?? []).flatMap(({ participant, points }) => {
      const mine = own.get(participant)
      return mine === undefined ? [] : [{ mine, points }]
    })
    const [mine, theirs] = [deviation(shared.map((each) => each.mine)), deviation(shared.map(({ points }) => points))]
    return mine === null || theirs === null ? [] : [mine - theirs]
  })
  return median(differences)
}

function deviation(values: readonly number[]): number | null {
  const mean = average(values)
  if (mean === null || values.length < 2) return null
  return Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1))
}
