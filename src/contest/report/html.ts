import { hash } from 'node:crypto'
import { formatDuration, formatSize } from '../../quantities.ts'
import { html, type Markup, trusted } from './markup.ts'
import { withNamedLabels } from './named-labels.ts'
import { style } from './style.ts'
import type { NotRanked, Ranked, Summary } from './summary.ts'
import {
  againWords,
  agreementWords,
  boardNames,
  boardWords,
  cardWords,
  comparisonsThatCount,
  endedWords,
  formatChecks,
  formatCost,
  formatRank,
  formatScore,
  formatSpread,
  formatTokens,
  labelWords,
  meetingWords,
  onBoards,
} from './words.ts'

/**
 * report/report.html: one file that needs nothing else. Its policy lets nothing in but its own style sheet, by hash:
 * no script runs and nothing is fetched, whatever a submission or a judge managed to be called or to say.
 */
export function reportPage(summary: Summary): string {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`
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
<body>
<main>
<header>
<h1>${summary.contest}</h1>
${summary.description === null ? null : html`<p class="lede">${summary.description}</p>`}
<p class="meta">${headline(summary)}</p>
</header>
${summary.verdict === null ? null : html`<p class="verdict">${summary.verdict.sentence}</p>`}
${ranking(summary)}
${boards(summary)}
${failures(summary)}
${meetings(summary)}
${judgements(summary)}
${agreement(summary)}
${checks(summary)}
${judges(summary)}
${submissions(summary)}
<footer>Made by Paddock on ${summary.generatedAt.slice(0, 16).replace('T', ' ')} UTC. Round ${summary.round}, judging ${summary.judging}. Judges saw labels only, each its own; names were put back afterwards.</footer>
</main>
</body>
</html>
`
  return page.markup
}

function headline({ ranking: rows, notRanked, judges: list }: Summary): string {
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  return [count(rows.length + notRanked.length, 'participant'), count(rows.length, 'submission'), count(list.length, 'judge')].join(' · ')
}

function ranking({ ranking: rows, rankedBy, notes }: Summary): Markup {
  const by = rankedBy === 'checks' ? 'Checks passed, %' : 'Score'
  const table = html`${scroll('Leaderboard')}<table>
<thead><tr><th>#</th><th>Participant</th><th>${by}</th><th class="n">95% interval</th><th class="n">Range</th><th class="n">Checks</th><th class="n">Time</th><th class="n">Tokens</th><th class="n">Cost</th><th>How it ended</th></tr></thead>
<tbody>${rows.map(rankingRow)}</tbody></table></div>`
  return html`<section><h2>Leaderboard</h2>
${rows.length === 0 ? html`<p>No submission was delivered.</p>` : table}
<ul class="notes">${notes.map((each) => html`<li>${each}</li>`)}</ul></section>`
}

function rankingRow(row: Ranked): Markup {
  return html`<tr class="${row.rank === 1 ? 'first' : ''}"><td class="rank">${formatRank(row)}</td>
<th scope="row">${row.name}<br><span class="soft meta">${agentWords(row)}</span></th>
<td class="score"><span class="big">${formatScore(row.score)}</span>${bar(row)}</td>
<td class="n">${formatSpread(row.interval)}</td><td class="n">${formatSpread(row.spread)}</td><td class="n">${formatChecks(row.checks)}</td>
<td class="n">${row.durationMs === null ? '–' : formatDuration(row.durationMs)}</td><td class="n">${formatTokens(row.tokens)}</td><td class="n">${formatCost(row.costUsd)}</td>
<td>${endedWords(row)}</td></tr>
`
}

/** The score, and its 95% interval as a line over it. Drawn by SVG attributes: a style attribute would need a hole in the policy. */
function bar(row: Ranked): Markup | null {
  if (row.score === null) return null
  const width = Math.max(0, Math.min(100, row.score)).toFixed(1)
  const { interval } = row
  const line =
    interval === null
      ? null
      : html`<rect class="interval" x="${interval.min.toFixed(1)}" y="3" width="${Math.max(0.5, interval.max - interval.min).toFixed(1)}" height="2"/>`
  const label = `${formatScore(row.score)} of 100${interval === null ? '' : `, 95% interval ${formatSpread(interval)}`}`
  return html`<svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="track" width="100" height="8" rx="1"/><rect class="fill" width="${width}" height="8" rx="1"/>${line}</svg>`
}

/** Rankings beside the one that counts. */
function boards(summary: Summary): Markup | null {
  const list = summary.boards
  if (list.length === 0) return null
  return html`<section><h2>Other rankings of the same work</h2><p class="soft">Rank, and score in brackets.</p>
${scroll('Other rankings')}<table><thead><tr><th>Participant</th>${list.map(({ id }) => html`<th>${boardNames[id]}</th>`)}</tr></thead>
<tbody>${onBoards(summary).map((name) => html`<tr><th scope="row">${name}</th>${list.map((each) => html`<td>${boardWords(each, name)}</td>`)}</tr>`)}</tbody></table></div></section>`
}

function failures({ notRanked }: Summary): Markup {
  const section = (title: string, note: string, list: readonly NotRanked[]): Markup | null =>
    list.length === 0
      ? null
      : html`<section><h2>${title}</h2><p class="soft">${note}</p>
${list.map((each) => html`<div class="aside"><h3>${each.name} <span class="soft meta">${agentWords(each)}</span></h3><p>${endedWords(each)}</p>${again(each)}</div>`)}</section>`
  return html`${section(
    'Could not be run',
    'These did not come to their end. That says nothing about their work, and none of them has a score.',
    notRanked.filter((each) => each.failedToRun),
  )}
${section(
  'Ran, but delivered nothing that counts',
  'These ended by themselves, and what they left is not what was asked for.',
  notRanked.filter((each) => !each.failedToRun),
)}`
}

function again(each: NotRanked): Markup | null {
  const words = againWords(each)
  return words === null ? null : html`<p class="soft">${words}</p>`
}

function judgements(summary: Summary): Markup | null {
  const { ranking: rows, dimensions, scale } = summary
  if (scale === null || rows.every((each) => each.judgements.length === 0)) return null
  const given = rows.flatMap((row) => row.judgements.flatMap((one) => Object.values(one.dimensions)))
  const digits = given.every(Number.isInteger) ? 0 : 1
  return html`<section><h2>By judge and dimension</h2><p class="soft">From ${scale.min} to ${scale.max} in each dimension; the score is their weighted mean, from 0 to 100.</p>
<dl>${dimensions.map((each) => html`<dt>${each.id}</dt><dd>${each.description}</dd>`)}</dl>
${scroll('By judge and dimension')}<table><thead><tr><th>Participant</th><th>Judge</th>${dimensions.map((each) => html`<th class="n">${each.id} ×${each.weight}</th>`)}<th class="n">Score</th></tr></thead>
${rows
  .filter((row) => row.judgements.length > 0)
  .map(
    (row) =>
      html`<tbody>${row.judgements.map(
        (one, index) =>
          html`<tr>${index === 0 ? html`<th scope="rowgroup" rowspan="${row.judgements.length}">${row.name}</th>` : null}<td>${one.judge}<br><span class="soft meta">saw it as ${one.label}</span></td>${dimensions.map(({ id }) => html`<td class="n">${one.dimensions[id]?.toFixed(digits) ?? '–'}</td>`)}<td class="n">${formatScore(one.score)}</td></tr>`,
      )}</tbody>`,
  )}</table></div>
${rows.flatMap((row) => row.judgements.filter((one) => one.review !== null).map((one) => html`<details class="card"><summary>${one.judge} on ${row.name}</summary><div>${key(summary, one.judge)}<blockquote>${named(summary, one.judge, one.review ?? '')}</blockquote></div></details>`))}</section>`
}

function reason({ first, second, better, why, labels }: Summary['pairs'][number]): Markup {
  return html`<p>${first} and ${second}, in this order: ${better === null ? 'a tie' : html`${better} is better`}</p><blockquote>${withNamedLabels(why ?? '', labels)}</blockquote>
`
}

function meetings(summary: Summary): Markup | null {
  const { ranking: rows, pairs } = summary
  if (pairs.length === 0) return null
  const compared = comparisonsThatCount(summary)
  const why = pairs.filter((each) => each.why !== null)
  return html`<section><h2>Who beats whom</h2><p class="soft">The share of comparisons that the row won over the column; a tie is half a win.</p>
${scroll('Who beats whom')}<table><thead><tr><th>Participant</th>${rows.map(({ name }) => html`<th class="n">${name}</th>`)}</tr></thead>
<tbody>${rows.map(({ name }) => html`<tr><th scope="row">${name}</th>${rows.map((other) => html`<td class="n">${meetingWords(name, other.name, compared)}</td>`)}</tr>`)}</tbody></table></div>
${[...Map.groupBy(why, ({ judge }) => judge)].map(([judge, said]) => html`<details class="card"><summary>Why, in the words of ${judge} (${said.length})</summary><div>${said.map(reason)}</div></details>`)}</section>`
}

function agreement({ agreement: list }: Summary): Markup | null {
  if (list.length === 0) return null
  return html`<section><h2>How much judges agree</h2><p class="soft">Krippendorff’s alpha over the order of scores: 1 is agreement, 0 what chance gives.</p>
${scroll('How much judges agree')}<table><thead><tr><th>Dimension</th><th>Agreement</th><th class="n">Alpha</th><th class="n">Submissions</th></tr></thead>
<tbody>${list.map((each) => html`<tr><th scope="row">${each.dimension}</th><td>${agreementWords(each)}</td><td class="n">${each.alpha?.ordinal.toFixed(2) ?? '–'}</td><td class="n">${each.n}</td></tr>`)}</tbody></table></div></section>`
}

/** A judge's text, with the names of participants behind its labels. */
function named({ judges: list }: Summary, judge: string, text: string): string {
  return withNamedLabels(text, list.find((each) => each.name === judge)?.labels ?? {})
}

/** What the labels mean that a judge writes about. */
function key({ judges: list }: Summary, judge: string): Markup | null {
  const found = list.find((each) => each.name === judge)
  const words = found === undefined ? '' : labelWords(found)
  return words === '' ? null : html`<p class="soft meta">Labels of ${judge}: ${words}</p>`
}

function checks({ ranking: rows }: Summary): Markup | null {
  const names = [...new Set(rows.flatMap((each) => each.checks.results.map((one) => one.name)))]
  if (names.length === 0) return null
  const mark = {
    passed: html`<span class="pass">passed</span>`,
    failed: html`<span class="fail">failed</span>`,
    'could-not-run': html`<span class="none">could not run</span>`,
  }
  const at = (row: Ranked, name: string): Markup => {
    const one = row.checks.results.find((each) => each.name === name)
    return one === undefined
      ? html`<td>–</td>`
      : html`<td>${mark[one.result]}${one.why === null ? null : html`<br><span class="soft meta">${one.why}</span>`}</td>`
  }
  return html`<section><h2>Checks</h2>${scroll('Checks')}<table><thead><tr><th>Participant</th>${names.map((each) => html`<th>${each}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}</th>${names.map((name) => at(row, name))}</tr>`)}</tbody></table></div>
${rows.flatMap((row) => row.checks.results.filter((one) => one.result !== 'passed' && one.output !== '').map((one) => html`<details class="card"><summary>What ${one.name} printed about ${row.name}</summary><div><pre>${one.output}</pre></div></details>`))}</section>`
}

function judges(summary: Summary): Markup | null {
  const { judges: list } = summary
  if (list.length === 0) return null
  return html`<section><h2>Judges</h2>${scroll('Judges')}<table><thead><tr><th>Judge</th><th>State</th><th class="n">Time</th><th class="n">Tokens</th><th class="n">Cost</th><th>Beside the others</th><th>Comment</th></tr></thead>
<tbody>${list.map(
    (
      each,
    ) => html`<tr><th scope="row">${each.name}<br><span class="soft meta">${agentWords(each)}</span></th><td>${each.state}${each.why === null ? null : html`<br><span class="soft meta">${each.why}</span>`}${each.hint === null ? null : html`<br><span class="soft meta">${each.hint}</span>`}</td>
<td class="n">${each.durationMs === null ? '–' : formatDuration(each.durationMs)}</td><td class="n">${formatTokens(each.tokens)}</td><td class="n">${formatCost(each.costUsd)}</td><td>${cardWords(each) || '–'}</td><td>${each.comment === null ? '' : html`${named(summary, each.name, each.comment)}${key(summary, each.name)}`}</td></tr>`,
  )}</tbody></table></div>
${list.map((each) => (each.review === null ? null : html`<details class="card"><summary>Review by ${each.name}</summary><div>${key(summary, each.name)}<blockquote>${named(summary, each.name, each.review)}</blockquote></div></details>`))}</section>`
}

function submissions({ ranking: rows }: Summary): Markup | null {
  if (rows.length === 0) return null
  const dropped = (row: Ranked): Markup | null =>
    row.droppedCount === 0
      ? null
      : html`<details class="card"><summary>${row.droppedCount} left out of ${row.name}</summary><div><pre>${row.dropped.map((each) => `${each.path}: ${each.why}\n`)}</pre></div></details>`
  return html`<section><h2>Submissions</h2>${scroll('Submissions')}<table><thead><tr><th>Participant</th><th class="n">Files</th><th class="n">Size</th><th>SHA-256 of the tree</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}</th><td class="n">${row.files}</td><td class="n">${formatSize(row.bytes)}</td><td><code>${row.tree.slice(0, 16)}…</code></td></tr>`)}</tbody></table></div>
${rows.map(dropped)}</section>`
}

/** The start of what a narrow screen scrolls; a keyboard reaches it. */
function scroll(label: string): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">`
}

function agentWords({ agent, model }: { readonly agent: string; readonly model: string | null }): string {
  return model === null ? agent : `${agent} · ${model}`
}
