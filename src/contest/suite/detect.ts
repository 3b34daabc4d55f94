import { detectable } from '../ranking/probability/detectable.ts'
import type { SuiteSummary } from './report/suite-summary.ts'

/** A suite of participants whose scores differ in each brief. */
export interface Design {
  readonly participants: number
  /** The standard deviation, over briefs, of the difference between the scores of two participants, in points of 100. */
  readonly sd: number
}

/** The assumed standard deviation if nothing was run yet. */
export const assumedSd = 10
const mostBriefs = 100_000

/**
 * Returns the smallest difference from the second best that this number of briefs finds in 80 of 100 suites, by the rule of the verdict:
 * (t(1 − min(0.025, 0.05/(n−1)), G−1) + t(0.8, G−1))·sd/√G. Null for fewer than three briefs, which find nothing.
 */
export function smallestDifference(briefs: number, { participants, sd }: Design): number | null {
  if (briefs < 3) return null
  const tail = 2 * Math.min(0.025, 0.05 / Math.max(1, participants - 1))
  return detectable(sd / Math.sqrt(briefs), briefs - 1, tail)
}

/** Returns the fewest briefs that find a difference of so many points in 80 of 100 suites; null if there are over 100,000. */
export function briefsToDetect(points: number, design: Design): number | null {
  const finds = (briefs: number): boolean => (smallestDifference(briefs, design) ?? Number.POSITIVE_INFINITY) <= points
  if (!finds(mostBriefs)) return null
  // More briefs always find smaller differences.
  let [low, high] = [3, mostBriefs]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (finds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns the standard deviation, over briefs, of the differences between participants, pooled over all pairs of them; null if no two
 * participants have scores in three briefs.
 */
export function observedSd({ briefs }: Pick<SuiteSummary, 'briefs'>): number | null {
  const scores = briefs.map(({ runs }) => {
    const given = runs.flatMap(({ results }) => results.flatMap(({ name, score }) => (score === null ? [] : [{ name, score }])))
    return new Map([...Map.groupBy(given, ({ name }) => name)].map(([name, own]) => [name, mean(own.map(({ score }) => score))]))
  })
  const names = [...new Set(scores.flatMap((each) => [...each.keys()]))]
  let [squares, degrees] = [0, 0]
  for (const [place, a] of names.entries())
    for (const b of names.slice(place + 1)) {
      const differences = scores.flatMap((each) => {
        const [one, other] = [each.get(a), each.get(b)]
        return one === undefined || other === undefined ? [] : [one - other]
      })
      if (differences.length < 3) continue
      const middle = mean(differences)
      squares += differences.reduce((sum, each) => sum + (each - middle) ** 2, 0)
      degrees += differences.length - 1
    }
  return degrees === 0 ? null : Math.sqrt(squares / degrees)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}
