import type { Summary } from '../summary.ts'
import { reportAssets } from './assets.ts'
import { agreement, cards, judgements, meetings, orders, reviews } from './judges.ts'
import { html, type Markup, trusted } from './markup.ts'
import { dataBlocks, type PackedWork } from './packed-work.ts'
import { costAgainstScore } from './plots.ts'
import { boards, ranking } from './ranking.ts'
import { checks, failures, runs } from './work.ts'

/**
 * report/report.html: one file that needs nothing else. Its policy lets in the one script that it comes with, by hash, and fetches nothing, whatever a
 * submission or a judge managed to be called or to say. A submitted page that is shown in a frame inherits that policy. Everything but the submissions
 * is there without the script, too.
 */
export function reportPage(summary: Summary, work: PackedWork | null = null): string {
  const { script, style, scriptSource } = reportAssets()
  const policy = [
    "default-src 'none'",
    `script-src ${scriptSource}`,
    // For submitted pages.
    "style-src 'unsafe-inline'",
    'img-src data:',
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${summary.contest} – contest report</title>
<style>${trusted(style)}</style>
</head>
<body class="report">
<a class="skip" href="#main">Skip to content</a>
<main id="main" class="stack lg" tabindex="-1">
<header class="stack">
<h1>${summary.contest}</h1>
${summary.description === null ? null : html`<p class="lede soft">${summary.description}</p>`}
<p class="soft small">${headline(summary)}</p>
</header>
${summary.verdict === null ? null : html`<p class="verdict">${summary.verdict.sentence}</p>`}
${ranking(summary)}
${boards(summary)}
${failures(summary)}
${costAgainstScore(summary.ranking)}
${meetings(summary)}
${judgements(summary)}
${cards(summary)}
${agreement(summary)}
${reviews(summary)}
${checks(summary)}
${viewer(work)}
${runs(summary)}
${orders(summary)}
<footer class="soft small">Made by Paddock on ${summary.generatedAt.slice(0, 16).replace('T', ' ')} UTC. Round ${summary.round}, judging ${summary.judging}. Judges saw labels only, each its own; names were put back afterwards.</footer>
</main>
${work === null ? null : dataBlocks(work)}
<script>${trusted(script)}</script>
</body>
</html>
`
  return page.markup
}

function headline({ ranking: rows, notRanked, judges: list }: Summary): string {
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  return [count(rows.length + notRanked.length, 'participant'), count(rows.length, 'submission'), count(list.length, 'judge')].join(' · ')
}

/** What the script fills. */
function viewer(work: PackedWork | null): Markup | null {
  if (work === null) return null
  return html`<section class="stack" id="work" aria-labelledby="work-head"><h2 id="work-head">Submissions side by side</h2>
<noscript><p>Submissions are shown by the script of this page. They are in the archives below, too.</p></noscript></section>`
}
