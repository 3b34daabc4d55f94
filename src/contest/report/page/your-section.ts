import type { Summary } from '../../ranking/contest-summary.ts'
import { yourColumns } from '../contest-columns.ts'
import { pageTable } from '../draw-tables.ts'
import { withNamedLabels } from '../named-labels.ts'
import { yourWords } from '../result-text.ts'
import { html, type Markup } from './markup.ts'

/** Returns your answers as a judge, and how much the judges agree with you. */
export function yours({ you }: Pick<Summary, 'you'>): Markup | null {
  if (you === null) return null
  const { agreement, pairs } = you
  const judges = pageTable('How much judges agree with you', yourColumns, agreement, { class: 'wrap' })
  return html`<section class="stack"><h2>You</h2><p class="soft">${yourWords(you)} Your answers do not affect the ranking. Kappa (Cohen, linear): 1 is full agreement, 0 is agreement by chance.</p>
${agreement.length === 0 ? null : judges}
${pairs.length === 0 ? null : html`<details class="card"><summary>What you answered (${pairs.length})</summary><div class="pad">${pairs.map(answer)}</div></details>`}</section>`
}

function answer({ first, second, better, why, labels }: Summary['pairs'][number]): Markup {
  return html`<p>${first} and ${second}, in this order: ${better === null ? 'a tie' : html`${better} is better`}</p>
${why === null ? null : html`<blockquote>${withNamedLabels(why, labels)}</blockquote>`}`
}
