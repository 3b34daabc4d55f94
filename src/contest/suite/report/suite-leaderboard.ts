import { agreementSection, boardSection, document, section } from '../../report/contest-leaderboard.ts'
import { markdownTable } from '../../report/draw-tables.ts'
import { briefColumns, briefRows, suiteColumns, suiteJudgeColumns } from './suite-columns.ts'
import type { SuiteSummary } from './suite-summary.ts'

/** Returns the content of a suite's report/leaderboard.md (GitHub Flavored Markdown). */
export function suiteLeaderboard(summary: SuiteSummary): string {
  return document(summary, markdownTable(suiteColumns(summary), summary.ranking), [
    ...boardSection(summary),
    ...section('By brief', briefColumns(summary), briefRows(summary)),
    ...agreementSection(summary.agreement),
    ...section('Judges', suiteJudgeColumns, summary.judges),
    `${summary.generatedAt}.`,
  ])
}
