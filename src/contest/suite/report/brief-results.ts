import type { Gathered } from './gather.ts'
import type { SuiteSummary } from './suite-summary.ts'

/** Returns the results of one contest of a suite, in the form of the suite's summary. */
export function resultsOf({ run, state, why, hasReport, found }: Gathered): SuiteSummary['briefs'][number]['runs'][number] {
  const { ranking = [], notRanked = [] } = found?.summary ?? {}
  return {
    repeat: run.repeat,
    state,
    why,
    hasReport,
    results: [
      ...ranking.map(({ name, score, checks: { passed, counted }, outcome }) => ({
        name,
        score,
        checks: { passed, counted },
        outcome: outcome.kind,
      })),
      ...notRanked.map(({ name, outcome }) => ({ name, score: null, checks: { passed: 0, counted: 0 }, outcome: outcome?.kind ?? null })),
    ],
  }
}
