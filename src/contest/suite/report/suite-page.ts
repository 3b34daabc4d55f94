import { type Column, pageTable } from '../../report/draw-tables.ts'
import { agreement, markOf } from '../../report/page/judges.ts'
import { html, type Markup } from '../../report/page/markup.ts'
import { reportShell } from '../../report/page/page-frame.ts'
import { agentWords, state } from '../../report/page/page-parts.ts'
import { costAgainstScore } from '../../report/page/plots.ts'
import { boards, leaderboardSection, variants } from '../../report/page/ranking.ts'
import { cardLimits, cardRows } from '../../report/shared-words.ts'
import { beatenColumns, differenceColumns, strengthColumns, tagColumns } from './detail-columns.ts'
import { briefColumns, briefRows, suiteColumns } from './suite-columns.ts'
import type { SuiteSummary } from './suite-summary.ts'

/** Returns the content of a suite's report/report.html, a single file with links to the reports of its contests. */
export function suitePage(summary: SuiteSummary): string {
  const { suite, description, verdict } = summary
  const main = html`<header class="stack">
<h1>${suite}</h1>
${description === null ? null : html`<p class="lede soft">${description}</p>`}
<p class="soft small">${headline(summary)}</p>
</header>
${verdict === null ? null : html`<p class="verdict">${verdict.sentence}</p>`}
${leaderboardSection(suiteColumns(summary), summary.ranking, summary.notes)}
${variants(summary)}
${boards(summary)}
${costAgainstScore(summary.ranking)}
${details(summary)}
${byBrief(summary)}
${cards(summary)}
${agreement(summary)}
<footer class="soft small">Made by Paddock on ${summary.generatedAt.slice(0, 16).replace('T', ' ')} UTC. Each contest has its own report with the submissions.</footer>`
  return reportShell(`${suite} – suite report`, main)
}

function headline({ briefs, repeats, ranking: rows, judges }: SuiteSummary): string {
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  const list = [count(briefs.length, 'brief'), count(rows.length, 'participant'), count(judges.length, 'judge')]
  return [...list, ...(repeats === 1 ? [] : [`${repeats} times each`])].join(' · ')
}

function details(summary: SuiteSummary): Markup {
  const { ranking, details: of } = summary
  const part = <Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): Markup | null =>
    rows.length === 0
      ? null
      : html`<section class="stack"><h2>${name}</h2>${pageTable(name, columns, rows, { class: 'sortable' })}</section>`
  return html`${part('Strengths and weaknesses', strengthColumns(summary), ranking)}
${part('By tag', tagColumns(summary), of.tags)}
${part('Where the first two differ most', differenceColumns(summary), of.differences)}
${part('Who beats whom', beatenColumns(summary), of.meetings.length === 0 ? [] : ranking)}`
}

function byBrief(summary: SuiteSummary): Markup {
  const broken = summary.briefs.filter(({ problem }) => problem !== null)
  const runs = briefRows(summary).filter(({ run }) => run !== null)
  return html`<section class="stack"><h2>By brief</h2>
${broken.length === 0 ? null : html`<ul class="notes small">${broken.map(({ path, problem }) => html`<li>${state('bad', `${path} is skipped: ${problem}`)}</li>`)}</ul>`}
${pageTable('By brief', briefColumns(summary), runs, { class: 'sortable' })}</section>`
}

function cards({ judges, briefs }: SuiteSummary): Markup | null {
  if (judges.length === 0) return null
  return html`<section class="stack"><h2>Judges</h2><div class="three">${judges.map((each) => {
    const mark = each.card === null ? html`<span class="mark">NO SCORES</span>` : markOf(each.card)
    const judged = `judged ${each.answered} ${each.answered === 1 ? 'contest' : 'contests'}${each.failed === 0 ? '' : `, failed in ${each.failed}`}`
    return html`<section class="card"><header><h3>${each.name}</h3><span class="soft small">${agentWords(each)}</span><span class="end">${mark}</span></header>
<p class="pad small">${judged}</p>
<dl class="kv pad">${cardRows(each).map((one) => html`<dt>${one.what}</dt><dd>${one.isCaught ? html`<b class="bad">${one.words}</b>` : one.words}</dd>`)}</dl></section>`
  })}</div>
<p class="soft small">${cardLimits(judges.length, briefs.length)}</p></section>`
}
