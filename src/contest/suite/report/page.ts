import { formatCost, formatDuration } from '../../../quantities.ts'
import { agreement } from '../../report/page/judges.ts'
import { html, type Markup } from '../../report/page/markup.ts'
import { agentWords, scroll, state } from '../../report/page/parts.ts'
import { axis, costAgainstScore, interval } from '../../report/page/plots.ts'
import { boards } from '../../report/page/ranking.ts'
import { reportShell } from '../../report/page/shell.ts'
import { cardRows } from '../../report/shared-words.ts'
import { formatRank, formatScore } from '../../report/words.ts'
import type { SuiteRow, SuiteSummary } from './summary.ts'
import { type ChanceColumns, chanceColumns, resultWords, shareWords } from './words.ts'

/** Returns the content of a suite's report/report.html, a single file with links to the reports of its contests. */
export function suitePage(summary: SuiteSummary): string {
  const { suite, description, verdict } = summary
  const main = html`<header class="stack">
<h1>${suite}</h1>
${description === null ? null : html`<p class="lede soft">${description}</p>`}
<p class="soft small">${headline(summary)}</p>
</header>
${verdict === null ? null : html`<p class="verdict">${verdict.sentence}</p>`}
${ranking(summary)}
${boards(summary)}
${costAgainstScore(summary.ranking)}
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

function ranking({ ranking: rows, rankedBy, notes }: SuiteSummary): Markup {
  const by = rankedBy === 'checks' ? 'Checks passed, %' : 'Score'
  const chances = chanceColumns(rows)
  return html`<section class="stack"><h2>Leaderboard</h2>
${scroll('Leaderboard')}<table class="cards sortable">
<thead><tr><th>#</th><th>Participant</th><th class="n">${by}</th><th class="fixed">95% interval${axis()}</th><th>Delivered</th><th>Passed all checks</th>${chances.heads.map((each) => html`<th class="n">${each}</th>`)}<th class="n">Total time</th><th class="n">Total cost</th><th>Not counted</th></tr></thead>
<tbody>${rows.map((each) => row(each, chances))}</tbody></table></div>
<ul class="notes soft small">${notes.map((each) => html`<li>${each}</li>`)}</ul></section>`
}

function row(each: SuiteRow, chances: ChanceColumns): Markup {
  const { completion, passes, failedToRun, notRun } = each
  return html`<tr class="${each.rank === 1 ? 'first' : ''}"><td class="rank" data-v="${each.rank ?? ''}">${formatRank(each)}</td>
<th scope="row">${each.name}<br><span class="soft small">${agentWords(each)}</span></th>
<td class="score n" data-v="${each.score ?? ''}">${formatScore(each.score)}</td><td class="wide">${interval({ ...each, spread: null })}</td>
<td class="wide" data-l="Delivered" data-v="${completion.share ?? ''}">${shareWords(completion)}</td>
<td class="wide" data-l="Passed" data-v="${passes?.share ?? ''}">${passes === null ? '–' : shareWords(passes)}</td>${chances.cells(each).map((text, at) => html`<td class="n" data-l="${chances.heads[at] ?? ''}">${text}</td>`)}
<td class="n hide" data-v="${each.durationMs}">${formatDuration(each.durationMs)}</td><td class="n" data-l="Cost" data-v="${each.costUsd ?? ''}">${formatCost(each.costUsd)}</td>
<td class="${failedToRun + notRun === 0 ? 'hide' : 'wide ended'}">${failedToRun + notRun === 0 ? '–' : `${failedToRun} failed to run, ${notRun} not run`}</td></tr>
`
}

function byBrief({ briefs, ranking: rows }: SuiteSummary): Markup {
  const names = rows.map(({ name }) => name)
  const broken = briefs.filter(({ problem }) => problem !== null)
  const runs = briefs.flatMap(({ name, runs: list }) => list.map((run) => ({ brief: name, ...run })))
  return html`<section class="stack"><h2>By brief</h2>
${broken.length === 0 ? null : html`<ul class="notes small">${broken.map(({ path, problem }) => html`<li>${state('bad', `${path} is skipped: ${problem}`)}</li>`)}</ul>`}
${scroll('By brief')}<table class="sortable"><thead><tr><th>Brief</th><th class="n">Repeat</th><th>State</th>${names.map((name) => html`<th>${name}</th>`)}</tr></thead>
<tbody>${runs.map(
    (
      run,
    ) => html`<tr><th scope="row">${run.state === 'not-run' ? run.brief : html`<a href="../runs/${run.brief}/${run.repeat}/report/report.html">${run.brief}</a>`}</th><td class="n" data-v="${run.repeat}">${run.repeat}</td>
<td>${run.state === 'complete' ? 'complete' : state(run.why === null ? 'none' : 'bad', run.why === null ? run.state.replace('-', ' ') : `${run.state.replace('-', ' ')}: ${run.why}`)}</td>${names.map(
      (name) => {
        const result = run.results.find((each) => each.name === name)
        return html`<td data-v="${result?.score ?? ''}">${result === undefined ? '–' : resultWords(result)}</td>`
      },
    )}</tr>`,
  )}</tbody></table></div></section>`
}

function cards({ judges }: SuiteSummary): Markup | null {
  if (judges.length === 0) return null
  return html`<section class="stack"><h2>Judges</h2><div class="three">${judges.map((each) => {
    const caught = each.card?.caught ?? []
    const mark =
      each.card === null
        ? html`<span class="mark">NO SCORES</span>`
        : caught.length > 0
          ? html`<span class="mark bad">CAUGHT</span>`
          : html`<span class="mark good">NOTHING FOUND</span>`
    const judged = `judged ${each.answered} ${each.answered === 1 ? 'contest' : 'contests'}${each.failed === 0 ? '' : `, failed in ${each.failed}`}`
    return html`<section class="card"><header><h3>${each.name}</h3><span class="soft small">${agentWords(each)}</span><span class="end">${mark}</span></header>
<p class="pad small">${judged}</p>
<dl class="kv pad">${cardRows(each).map((one) => html`<dt>${one.what}</dt><dd>${one.isCaught ? html`<b class="bad">${one.words}</b>` : one.words}</dd>`)}</dl></section>`
  })}</div></section>`
}
