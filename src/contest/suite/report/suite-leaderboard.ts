import { agreementSection, boardSection, document, section } from '../../report/contest-leaderboard.ts'
import { markdownTable } from '../../report/draw-tables.ts'
import { variantColumns, variantsTitle } from '../../report/variant-columns.ts'
import { beatenColumns, differenceColumns, strengthColumns, tagColumns } from './detail-columns.ts'
import { briefColumns, briefRows, suiteColumns, suiteJudgeColumns } from './suite-columns.ts'
import type { SuiteSummary } from './suite-summary.ts'

/** Returns the content of a suite's report/leaderboard.md (GitHub Flavored Markdown). */
export function suiteLeaderboard(summary: SuiteSummary): string {
  return document(summary, markdownTable(suiteColumns(summary), summary.ranking), [
    ...section(variantsTitle, variantColumns, summary.variants),
    ...boardSection(summary),
    ...section('Strengths and weaknesses', strengthColumns(summary), summary.ranking),
    ...section('By tag', tagColumns(summary), summary.details.tags),
    ...section('Where the first two differ most', differenceColumns(summary), summary.details.differences),
    ...section(
      'Who beats whom (briefs with a higher score)',
      beatenColumns(summary),
      summary.details.meetings.length === 0 ? [] : summary.ranking,
    ),
    ...section('By brief', briefColumns(summary), briefRows(summary)),
    ...agreementSection(summary.agreement),
    ...section('Judges', suiteJudgeColumns, summary.judges),
    `${summary.generatedAt}.`,
  ])
}
