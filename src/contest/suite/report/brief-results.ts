import type { ContestConfig } from '../../config/contest-schema.ts'
import { scoreByChecks, totalScore } from '../../ranking/score.ts'
import { counted, isJudged, type Work } from '../../ranking/work.ts'
import type { Gathered } from './gather.ts'
import { resultsByPairs } from './suite-details.ts'
import type { SuiteSummary } from './suite-summary.ts'

type Run = SuiteSummary['briefs'][number]['runs'][number]

/**
 * Returns the results of one contest of a suite, in the form of the suite's summary. Scores are those of the judges, without the ones that
 * failed a control in the suite, or the share of checks that passed.
 */
export function resultsOf(
  { run, state, why, hasReport, found }: Gathered,
  by: ContestConfig['ranking']['by'],
  failed: ReadonlySet<string>,
): Run {
  const { delivered = [], notRanked = [] } = found?.results ?? {}
  const work = found === null ? null : counted(found.work, (judge) => !failed.has(judge))
  const judged = work !== null && by !== 'checks' && isJudged(work) ? scoresIn(work) : null
  return {
    repeat: run.repeat,
    state,
    why,
    hasReport,
    results: [
      ...delivered.map(({ name, checks, outcome }) => ({
        name,
        score: judged === null ? scoreByChecks(checks) : (judged.get(name) ?? null),
        checks: { passed: checks.passed, counted: checks.counted },
        outcome: outcome.kind,
      })),
      ...notRanked.map(({ name, outcome }) => ({ name, score: null, checks: { passed: 0, counted: 0 }, outcome: outcome?.kind ?? null })),
    ],
  }
}

function scoresIn(work: Work): ReadonlyMap<string, number | null> {
  if (work.compared.length > 0) return new Map(resultsByPairs(work).map(({ name, score }) => [name, score]))
  return new Map(work.rows.map(({ name, judgements }) => [name, totalScore(judgements)]))
}
