import type { Certainty } from './certainty.ts'
import { isByPairs, type Work } from './work.ts'

/** With fewer failures of one participant, some suites would show none of them, and its interval would not contain the truth. */
const fewestFailures = 5
const mostAtEnds = 0.3
const fewestChecked = 8
const [leastShare, mostShare] = [5, 95]

/**
 * Returns the reasons why 95% intervals may contain the true values less often, as sentences. In simulations of these cases, they contained
 * them 88 to 93 times out of 100, and otherwise 93 to 97 times. The data themselves do not show it.
 */
export function weakIntervals(works: readonly Work[], { standings, verdict }: Certainty, byChecks: boolean): string[] {
  const isAnyInterval = [...standings.values()].some(({ interval }) => interval !== null)
  if (!isAnyInterval || verdict.clusters.by === 'judges') return []
  const why: string[] = []
  const byPairs = isByPairs(works)
  const scores = works.flatMap(({ rows }) => rows.flatMap(({ judgements }) => judgements.map(({ score }) => score)))
  const atEnds = scores.filter((each) => each <= 0 || each >= 100).length
  if (byChecks) {
    if (verdict.clusters.count < fewestChecked) why.push(`only checks decide, over ${verdict.clusters.count} briefs`)
  } else if (!byPairs && atEnds > mostAtEnds * scores.length) why.push('over 30% of the scores are at an end of the scale')
  const rare = [...standings.keys()].filter((name) => {
    const failures = works.filter(({ losers }) => losers.includes(name)).length
    return failures > 0 && failures < fewestFailures
  })
  if (rare.length > 0) why.push(`${rare.join(', ')} failed to deliver only a few times`)
  const extreme = byPairs ? [...standings].filter(([, { score }]) => score !== null && (score < leastShare || score > mostShare)) : []
  if (extreme.length > 0) why.push(`${extreme.map(([name]) => name).join(', ')} won or lost almost every comparison`)
  return why.length === 0 ? [] : [`Intervals can be too narrow here (88 to 93% instead of 95%), because ${why.join(' and ')}.`]
}
