/** One judge's points for one submission. */
export interface Rating {
  readonly brief: string
  readonly participant: string
  readonly judge: string
  /** The points, from 0 to 100. */
  readonly points: number
}

/** A judge's comparison of two submissions, both orders together. */
export interface JudgedPair {
  readonly brief: string
  readonly judge: string
  readonly a: string
  readonly b: string
  /** The share that `a` won, from 0 to 1. */
  readonly score: number
}

/**
 * Returns comparisons as ratings, so that a card has the same numbers in both modes. A rating is the mean share, out of 100, that a
 * submission won with a judge.
 */
export function ratingsOfPairs(pairs: readonly JudgedPair[]): Rating[] {
  const sides = pairs.flatMap(({ brief, judge, a, b, score }) => [
    { brief, judge, participant: a, score },
    { brief, judge, participant: b, score: 1 - score },
  ])
  const groups = Map.groupBy(sides, ({ brief, judge, participant }) => JSON.stringify([brief, judge, participant]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { brief, judge, participant } = first
    return [{ brief, judge, participant, points: (100 * group.reduce((sum, { score }) => sum + score, 0)) / group.length }]
  })
}
