import type { Summary } from '../../ranking/contest-summary.ts'
import type { PackedWork } from '../../seal/packed-work.ts'
import { dataBlocks } from './data-blocks.ts'
import { agreement, cards, judgements, meetings, orders, reviews } from './judges.ts'
import { html, type Markup } from './markup.ts'
import { reportShell } from './page-frame.ts'
import { costAgainstScore } from './plots.ts'
import { boards, ranking, variants } from './ranking.ts'
import { checks, failures, runs } from './work-section.ts'
import { yours } from './your-section.ts'

/** Returns the content of report/report.html. Without its script, the page still shows everything except the submissions. */
export function reportPage(summary: Summary, work: PackedWork | null = null): string {
  const main = html`<header class="stack">
<h1>${summary.contest}</h1>
${summary.description === null ? null : html`<p class="lede soft">${summary.description}</p>`}
<p class="soft small">${headline(summary)}</p>
</header>
${summary.verdict === null ? null : html`<p class="verdict">${summary.verdict.sentence}</p>`}
${ranking(summary)}
${variants(summary)}
${boards(summary)}
${failures(summary)}
${costAgainstScore(summary.ranking)}
${meetings(summary)}
${judgements(summary)}
${cards(summary)}
${agreement(summary)}
${yours(summary)}
${reviews(summary)}
${checks(summary)}
${viewer(work)}
${runs(summary)}
${orders(summary)}
<footer class="soft small">Made by Paddock on ${summary.generatedAt.slice(0, 16).replace('T', ' ')} UTC. Round ${summary.round}, judging ${summary.judging}. Judges saw labels only, each its own; names were put back afterwards.</footer>`
  return reportShell(`${summary.contest} – contest report`, main, work === null ? null : dataBlocks(work))
}

function headline({ ranking: rows, notRanked, judges: list }: Summary): string {
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  return [count(rows.length + notRanked.length, 'participant'), count(rows.length, 'submission'), count(list.length, 'judge')].join(' · ')
}

/** Returns the element that the script fills. */
function viewer(work: PackedWork | null): Markup | null {
  if (work === null) return null
  return html`<section class="stack" id="work" aria-labelledby="work-head"><h2 id="work-head">Submissions side by side</h2>
<noscript><p>Submissions are shown by the script of this page. They are in the archives below, too.</p></noscript></section>`
}
