import type { Summary } from '../../ranking/contest-summary.ts'
import { agreementColumns, meetingColumns } from '../contest-columns.ts'
import { pageTable } from '../draw-tables.ts'
import { withNamedLabels } from '../named-labels.ts'
import { formatScore, labelWords } from '../result-text.ts'
import { cardLimits, cardMark, cardRows } from '../shared-words.ts'
import { html, type Markup } from './markup.ts'
import { agentWords, scroll, state } from './page-parts.ts'

type Judge = Summary['judges'][number]

/** Returns one card for each judge: whether it was caught, and by which observations. */
export function cards(summary: Summary): Markup | null {
  const { judges } = summary
  if (judges.length === 0) return null
  return html`<section class="stack"><h2>Judges</h2><div class="three">${judges.map((each) => card(summary, each))}</div>
<p class="soft small">A judge is caught if it failed a control, or if one of its numbers differs significantly from zero (Holm’s method over its card). A judge that failed a control does not count in the ranking. ${cardLimits(judges.length, 1)}</p></section>`
}

/** Returns the mark of a judge's card. */
export function markOf(card: NonNullable<Judge['card']>): Markup {
  const { class: kind, words } = cardMark(card)
  return kind === null ? html`<span class="mark">${words}</span>` : html`<span class="mark ${kind}">${words}</span>`
}

function card(summary: Summary, each: Judge): Markup {
  const mark = each.card === null ? html`<span class="mark">${each.state}</span>` : markOf(each.card)
  const rows = cardRows(each)
  return html`<section class="card"><header><h3>${each.name}</h3><span class="soft small">${agentWords(each)}</span><span class="end">${mark}</span></header>
${each.why === null ? null : html`<p class="pad">${state('bad', each.why)}${each.hint === null ? null : html`<br><span class="soft small">${each.hint}</span>`}</p>`}
${rows.length === 0 ? null : html`<dl class="kv pad">${rows.map((row) => html`<dt>${row.what}</dt><dd>${row.isCaught ? html`<b class="bad">${row.words}</b>` : row.words}</dd>`)}</dl>`}
${each.comment === null ? null : html`<blockquote>${named(summary, each.name, each.comment)}</blockquote>`}${key(summary, each.name)}</section>`
}

/** Returns the scores by judge and dimension, and each judge's review of each submission. */
export function judgements(summary: Summary): Markup | null {
  const { ranking: rows, dimensions, scale } = summary
  if (scale === null || rows.every((each) => each.judgements.length === 0)) return null
  const given = rows.flatMap((row) => row.judgements.flatMap((one) => Object.values(one.dimensions)))
  const digits = given.every(Number.isInteger) ? 0 : 1
  return html`<section class="stack"><h2>By judge and dimension</h2><p class="soft">From ${scale.min} to ${scale.max} in each dimension; the score is their weighted mean, from 0 to 100.</p>
<dl class="kv">${dimensions.map((each) => html`<dt>${each.id}</dt><dd>${each.description}</dd>`)}</dl>
${scroll('By judge and dimension')}<table><thead><tr><th>Participant</th><th>Judge</th>${dimensions.map((each) => html`<th class="n">${each.id} ×${each.weight}</th>`)}<th class="n">Score</th></tr></thead>
${rows
  .filter((row) => row.judgements.length > 0)
  .map(
    (row) =>
      html`<tbody>${row.judgements.map(
        (one, index) =>
          html`<tr>${index === 0 ? html`<th scope="rowgroup" rowspan="${row.judgements.length}">${row.name}</th>` : null}<td>${one.judge} <span class="soft small">saw it as ${one.label}</span></td>${dimensions.map(({ id }) => html`<td class="n">${one.dimensions[id]?.toFixed(digits) ?? '–'}</td>`)}<td class="n">${formatScore(one.score)}</td></tr>`,
      )}</tbody>`,
  )}</table></div>
${rows.map((row) => written(summary, row))}</section>`
}

/** Returns the reviews of one submission by all judges. */
function written(summary: Summary, { name, judgements: all }: Summary['ranking'][number]): Markup | null {
  const said = all.filter((one) => one.review !== null)
  if (said.length === 0) return null
  return html`<details class="card"><summary>What judges wrote about ${name} (${said.length})</summary><div class="pad stack">${said.map((one) => html`<h3>${one.judge}</h3>${key(summary, one.judge)}<blockquote>${named(summary, one.judge, one.review ?? '')}</blockquote>${cited(one)}`)}</div></details>`
}

/** Returns the lines that a judge cites. */
function cited({ citations }: Summary['ranking'][number]['judgements'][number]): Markup | null {
  if (citations.length === 0) return null
  return html`<ul class="small">${citations.map(({ dimension, file, lines: [from, to], isFound }) => html`<li>${dimension}: <code>${file}</code>, ${from === to ? `line ${from}` : `lines ${from} to ${to}`}${isFound ? null : html` ${state('bad', 'not there')}`}</li>`)}</ul>`
}

export function meetings(summary: Summary): Markup | null {
  const { ranking: rows, pairs } = summary
  if (pairs.length === 0) return null
  const why = pairs.filter((each) => each.why !== null)
  return html`<section class="stack"><h2>Who beats whom</h2><p class="soft">The share of comparisons that the row won over the column; a tie is half a win.</p>
${pageTable('Who beats whom', meetingColumns(summary), rows)}
${[...Map.groupBy(why, ({ judge }) => judge)].map(([judge, said]) => html`<details class="card"><summary>Reasons given by ${judge} (${said.length})</summary><div class="pad">${said.map(reason)}</div></details>`)}</section>`
}

function reason({ first, second, better, why, labels }: Summary['pairs'][number]): Markup {
  return html`<p>${first} and ${second}, in this order: ${better === null ? 'a tie' : html`${better} is better`}</p><blockquote>${withNamedLabels(why ?? '', labels)}</blockquote>
`
}

export function agreement({ agreement: list }: Pick<Summary, 'agreement'>): Markup | null {
  if (list.length === 0) return null
  return html`<section class="stack"><h2>How much judges agree</h2><p class="soft">Krippendorff’s alpha for ordinal scores: 1 is full agreement, 0 is agreement by chance.</p>
${pageTable('How much judges agree', agreementColumns, list)}</section>`
}

/** Returns the judges' reviews of all submissions together. */
export function reviews(summary: Summary): Markup | null {
  const written = summary.judges.filter((each) => each.review !== null)
  if (written.length === 0) return null
  return html`<section class="stack"><h2>Reviews</h2>
${written.map((each) => html`<details class="card"><summary>Review by ${each.name}</summary><div class="pad">${key(summary, each.name)}<blockquote>${named(summary, each.name, each.review ?? '')}</blockquote></div></details>`)}</section>`
}

/** Returns the order in which each judge saw the submissions, by task. */
export function orders({ orders: list }: Summary): Markup | null {
  if (list.length === 0) return null
  return html`<section class="stack"><h2>Labels and orders</h2><details class="card"><summary>What each judge saw, in its order (${list.length} ${list.length === 1 ? 'task' : 'tasks'})</summary>
<div class="scroller pad" tabindex="0" role="region" aria-label="Labels and orders"><table><thead><tr><th>Judge</th><th>Task</th><th>Order</th></tr></thead>
<tbody>${list.map(({ judge, task, seen }) => html`<tr><th scope="row">${judge}</th><td>${task}</td><td>${seen.map(({ label, participant }) => `${label} = ${participant}`).join(', ')}</td></tr>`)}</tbody></table></div></details></section>`
}

/** Returns a judge's text with the participant's name after each label in it. */
function named({ judges: list }: Summary, judge: string, text: string): string {
  return withNamedLabels(text, list.find((each) => each.name === judge)?.labels ?? {})
}

/** Returns the meaning of the labels that a judge uses. */
function key({ judges: list }: Summary, judge: string): Markup | null {
  const found = list.find((each) => each.name === judge)
  const words = found === undefined ? '' : labelWords(found)
  return words === '' ? null : html`<p class="soft small key">Labels of ${judge}: ${words}</p>`
}
