import { comparedOf } from './compared-pairs.ts'
import type { Summary } from './contest-summary.ts'
import type { Findings } from './findings.ts'
import { hundredths, judgementsOf, totalScore } from './score.ts'

/**
 * Returns the scores before and after lines that give orders to judges were emptied, by the judges that answered both times; null if no line
 * was emptied, or there is no earlier judging to compare with.
 */
export function redactionOf(findings: Findings, names: readonly string[], failed: ReadonlySet<string>): Summary['redaction'] {
  const { config, withOrders, answers, pairs } = findings
  if (withOrders === null) return null
  const isByPairs = pairs.length > 0
  const judgesIn = (each: Pick<Findings, 'answers' | 'pairs'>): Set<string> =>
    new Set((isByPairs ? each.pairs : each.answers).map(({ judge }) => judge))
  const judges = [...judgesIn(findings)].filter((judge) => judgesIn(withOrders).has(judge) && !failed.has(judge))
  const pointsIn = (each: Pick<Findings, 'answers' | 'pairs'>, name: string): number | null =>
    isByPairs
      ? shareOf(
          name,
          each.pairs.filter(({ judge }) => judges.includes(judge)),
        )
      : totalScore(judgementsOf(name, { config, answers: each.answers.filter(({ judge }) => judges.includes(judge)) }))
  const points = names.flatMap((name) => {
    const [before, after] = [pointsIn(withOrders, name), pointsIn({ answers, pairs }, name)]
    return before === null || after === null ? [] : [{ name, before, after }]
  })
  return points.length === 0 ? null : { judging: withOrders.judging, judges, points }
}

/** Returns the share of comparisons that a participant won, in percent. */
function shareOf(name: string, pairs: Findings['pairs']): number | null {
  const won = comparedOf(pairs).flatMap(({ a, b, score }) => (a === name ? [score] : b === name ? [1 - score] : []))
  return won.length === 0 ? null : hundredths((won.reduce((sum, each) => sum + each, 0) / won.length) * 100)
}

/** Returns the redaction as a note. */
export function redactionNotes(redaction: Summary['redaction'], judging: number): string[] {
  if (redaction === null) return []
  const { judges, points } = redaction
  const each = points.map(({ name, before, after }) => `${name} ${before.toFixed(1)} → ${after.toFixed(1)}`).join(', ')
  const by = `${judges.length} ${judges.length === 1 ? 'judge' : 'judges'}`
  return [`Scores with the lines that give orders to judges → without them: ${each} (judging ${redaction.judging} → ${judging}, ${by}).`]
}
