import { judgingAssets } from './assets.ts'
import { html } from './markup.ts'
import { pageShell } from './page-frame.ts'

/** Returns the page on which you judge. It contains nothing secret: the submissions are sent to its script, with a session. */
export function judgingPage(): string {
  const main = html`<header class="stack">
<h1>Which is better?</h1>
<p id="said" class="soft" role="status"></p>
</header>
<noscript><p>Submissions are shown by the script of this page.</p></noscript>
<div id="texts" class="stack"></div>
<section class="stack" id="work" aria-label="The submissions"></section>
<form id="answer" class="card give" hidden></form>`
  return pageShell('Which is better? – Paddock', main, { assets: judgingAssets(), connect: "'self'" })
}
