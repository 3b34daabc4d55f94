import type { Summary } from '../../ranking/contest-summary.ts'
import { boardColumns, leaderboardColumns } from '../contest-columns.ts'
import { type Column, pageTable } from '../draw-tables.ts'
import { type OnBoards, onBoards, styleWords } from '../result-text.ts'
import { variantColumns, variantsTitle } from '../variant-columns.ts'
import { html, type Markup } from './markup.ts'

export function ranking(summary: Summary): Markup {
  return leaderboardSection(leaderboardColumns(summary), summary.ranking, summary.notes)
}

/** Returns the leaderboard of a contest or a suite, with its notes. */
export function leaderboardSection<Row extends { readonly rank: number | null }>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  notes: readonly string[],
): Markup {
  const style = { class: 'cards sortable', rowClass: ({ rank }: Row) => (rank === 1 ? 'first' : ''), rowHead: 1 }
  return html`<section class="stack"><h2>Leaderboard</h2>
${rows.length === 0 ? html`<p>No submission was delivered.</p>` : pageTable('Leaderboard', columns, rows, style)}
<ul class="notes soft small">${notes.map((each) => html`<li>${each}</li>`)}</ul></section>`
}

/** Returns the comparison of variants with their bases. */
export function variants({ variants: all }: Pick<Summary, 'variants'>): Markup | null {
  if (all.length === 0) return null
  return html`<section class="stack"><h2>${variantsTitle}</h2>${pageTable(variantsTitle, variantColumns, all)}
<ul class="notes soft small">${all.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul></section>`
}

/** Returns the other rankings of the same work. */
export function boards(summary: OnBoards): Markup | null {
  if (summary.boards.length === 0) return null
  return html`<section class="stack"><h2>Other rankings of the same work</h2><p class="soft">Rank, and score in brackets.</p>
${pageTable('Other rankings', boardColumns(summary), onBoards(summary))}
${styleWords(summary.boards).map((each) => html`<p class="soft small">${each}</p>`)}</section>`
}
