import { formatCost, formatDuration } from '../../../quantities.ts'
import type { Ranked, Summary } from '../../ranking/summary.ts'
import { boardNames } from '../shared-words.ts'
import {
  boardWords,
  endedWords,
  formatChecks,
  formatRank,
  formatScore,
  formatSpread,
  formatTokens,
  type OnBoards,
  onBoards,
  styleWords,
} from '../words.ts'
import { html, type Markup } from './markup.ts'
import { agentWords, scroll } from './parts.ts'
import { axis, interval } from './plots.ts'

export function ranking({ ranking: rows, rankedBy, notes }: Summary): Markup {
  const by = rankedBy === 'checks' ? 'Checks passed, %' : 'Score'
  const plotted = rows.some((each) => each.interval !== null) ? '95% interval' : 'Range over judges'
  const table = html`${scroll('Leaderboard')}<table class="cards sortable">
<thead><tr><th>#</th><th>Participant</th><th class="n">${by}</th><th class="fixed">${plotted}${axis()}</th><th class="n rare">Judges</th><th class="n">Checks</th><th class="n">Time</th><th class="n rare">Tokens</th><th class="n">Cost</th><th>How it ended</th></tr></thead>
<tbody>${rows.map(row)}</tbody></table></div>`
  return html`<section class="stack"><h2>Leaderboard</h2>
${rows.length === 0 ? html`<p>No submission was delivered.</p>` : table}
<ul class="notes soft small">${notes.map((each) => html`<li>${each}</li>`)}</ul></section>`
}

function row(each: Ranked): Markup {
  const { checks, durationMs, tokens, costUsd } = each
  const share = checks.share ?? ''
  return html`<tr class="${each.rank === 1 ? 'first' : ''}"><td class="rank" data-v="${each.rank ?? ''}">${formatRank(each)}</td>
<th scope="row">${each.name}<br><span class="soft small">${agentWords(each)}</span></th>
<td class="score n" data-v="${each.score ?? ''}">${formatScore(each.score)}</td><td class="wide">${interval(each)}${each.score === null ? null : html`<span class="phone">${axis()}</span>`}</td>
<td class="n hide rare" data-v="${each.spread?.min ?? ''}">${formatSpread(each.spread)}</td><td class="n" data-l="Checks" data-v="${share}">${formatChecks(checks)}</td>
<td class="n hide" data-v="${durationMs ?? ''}">${durationMs === null ? '–' : formatDuration(durationMs)}</td><td class="n hide rare" data-v="${tokens === null ? '' : tokens.input + tokens.output}">${formatTokens(tokens)}</td><td class="n" data-l="Cost" data-v="${costUsd ?? ''}">${formatCost(costUsd)}</td>
<td class="wide ended">${endedWords(each)}</td></tr>
`
}

/** Returns the other rankings of the same work. */
export function boards(summary: OnBoards): Markup | null {
  const list = summary.boards
  if (list.length === 0) return null
  return html`<section class="stack"><h2>Other rankings of the same work</h2><p class="soft">Rank, and score in brackets.</p>
${scroll('Other rankings')}<table><thead><tr><th>Participant</th>${list.map(({ id }) => html`<th>${boardNames[id]}</th>`)}</tr></thead>
<tbody>${onBoards(summary).map((name) => html`<tr><th scope="row">${name}</th>${list.map((each) => html`<td>${boardWords(each, name)}</td>`)}</tr>`)}</tbody></table></div>
${styleWords(list).map((each) => html`<p class="soft small">${each}</p>`)}</section>`
}
