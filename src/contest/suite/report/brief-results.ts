import { totalScore } from '../../ranking/score.ts'
import type { Gathered } from './gather.ts'
import type { SuiteSummary } from './suite-summary.ts'

/**
 * Returns the results of one contest of a suite, in the form of the suite's summary. Scores by the rubric leave out the judges that failed a
 * control in the suite.
 */
export function resultsOf(
  { run, state, why, hasReport, found }: Gathered,
  failed: ReadonlySet<string>,
): SuiteSummary['briefs'][number]['runs'][number] {
  const { ranking = [], notRanked = [] } = found?.summary ?? {}
  return {
    repeat: run.repeat,
    state,
    why,
    hasReport,
    results: [
      ...ranking.map(({ name, score, judgements, strength, checks: { passed, counted }, outcome }) => ({
        name,
        score: strength?.unit === 'points' ? totalScore(judgements.filter(({ judge }) => !failed.has(judge))) : score,
        checks: { passed, counted },
        outcome: outcome.kind,
      })),
      ...notRanked.map(({ name, outcome }) => ({ name, score: null, checks: { passed: 0, counted: 0 }, outcome: outcome?.kind ?? null })),
    ],
  }
}
