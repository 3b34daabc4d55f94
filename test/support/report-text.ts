import type { Summary } from '../../src/contest/ranking/contest-summary.ts'
import { reportAssets } from '../../src/contest/report/page/assets.ts'
import { reportPage } from '../../src/contest/report/page/report-page.ts'

/** Returns the page of a report without the script and the style sheet that all reports share. */
export function reportText(summary: Summary): string {
  return withoutScript(reportPage(summary))
}

/** Removes the shared script and style sheet from a page. */
export function withoutScript(page: string): string {
  const { script, style } = reportAssets()
  return page.replace(`<script>${script}</script>`, '').replace(style, '')
}
