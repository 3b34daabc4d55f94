import { pageTable } from '../../report/draw-tables.ts'
import { html, type Markup } from '../../report/page/markup.ts'
import { reportShell } from '../../report/page/page-frame.ts'
import { agentWords, state } from '../../report/page/page-parts.ts'
import { briefColumns, changedBriefs, gateWords, measureColumns, measureRows, sameWords, trendColumns } from './comparison-columns.ts'
import type { ComparedBrief, Comparison } from './comparison-schema.ts'
import { runNames, signed } from './comparison-sentence.ts'

/** Returns comparison.html, a single file with links to the contests in which judges saw both works. `linked` returns the link to a contest. */
export function comparisonPage(of: Comparison, linked: (contest: string) => string): string {
  const { suite, sentences, participants, briefs, leftOut, notes, generatedAt } = of
  const { changed, same } = changedBriefs(of)
  const main = html`<header class="stack">
<h1>${suite}</h1>
<p class="soft small">${runNames(of).join(' → ')} · ${new Set(briefs.map(({ brief }) => brief)).size} briefs in both · ${generatedAt.slice(0, 16).replace('T', ' ')} UTC</p>
</header>
${sentences.map((each) => html`<p class="verdict">${each}</p>`)}
${gatesSection(of)}
<section class="stack"><h2>Compared</h2>
<p class="soft small">${participants.map(versionsOf).join(' · ')}</p>
${pageTable('Compared', measureColumns, measureRows(of), { class: 'sortable' })}
<ul class="notes small">${[...leftOut.map(({ brief, why }) => `${brief} is left out: ${why}.`), ...notes].map((each) => html`<li>${each}</li>`)}</ul></section>
<section class="stack"><h2>By brief, the worst first</h2>${changed.length === 0 ? null : pageTable('By brief', briefColumns, changed, { class: 'sortable' })}
${same === 0 ? null : html`<p class="soft small">${sameWords(same)}</p>`}</section>
${reasonsSection(briefs, linked)}
<section class="stack"><h2>Runs</h2>${pageTable('Runs', trendColumns, of.trend, {})}
<p class="soft small">Scores as judged then are of different judgings. Judges may have been milder or stricter, so they do not decide.</p></section>`
  return reportShell(`${suite} – comparison`, main)
}

function versionsOf({ base, new: now }: Comparison['participants'][number]): string {
  const words = (side: typeof base): string => [agentWords(side), ...side.versions].join(' ')
  const [before, after] = [words(base), words(now)]
  return `${now.name}: ${before === after ? after : `${before} → ${after}`}`
}

function gatesSection(of: Comparison): Markup | null {
  const { gates, isFailed } = of
  if (gates.length === 0) return null
  return html`<section class="stack"><h2>${isFailed ? 'Gates: failed' : 'Gates'}</h2><ul class="notes small">${gates.map(
    (each) => html`<li>${state(each.state === 'passed' ? 'good' : 'bad', gateWords(each, of))}</li>`,
  )}</ul></section>`
}

/** Shows what judges said about the briefs with the largest losses. */
function reasonsSection(briefs: readonly ComparedBrief[], linked: (contest: string) => string): Markup | null {
  const worst = briefs.filter(
    ({ difference, reasons, contests }) => difference !== null && difference < 0 && reasons.length + contests.length > 0,
  )
  if (worst.length === 0) return null
  return html`<section class="stack"><h2>What judges said about the losses</h2>${worst.slice(0, mostShown).map(
    ({
      brief,
      participant,
      difference,
      reasons,
      contests,
    }) => html`<section class="card"><header><h3>${brief}</h3><span class="soft small">${participant}</span><span class="end"><b class="bad">${signed(difference ?? 0)}</b></span></header>
<dl class="kv pad">${reasons.map(({ judge, base, new: now }) => html`<dt>${judge}</dt><dd><b>Base:</b> ${base ?? '–'}<br><b>New:</b> ${now ?? '–'}</dd>`)}</dl>
<p class="pad small">${contests.map((each, place) => html`<a href="${linked(each)}">Both works side by side${contests.length === 1 ? '' : ` (${place + 1})`}</a> `)}</p></section>`,
  )}</section>`
}

const mostShown = 20
