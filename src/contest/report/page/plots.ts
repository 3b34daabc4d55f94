import { formatCost } from '../../../base/quantities.ts'
import type { Ranked } from '../../ranking/contest-summary.ts'
import { formatScore, formatSpread } from '../result-text.ts'
import { html, type Markup } from './markup.ts'

/** Returns the position of a score (0 to 100) on the shared axis, in units of the drawing. */
const x = (score: number): string => (10 + 1.8 * Math.max(0, Math.min(100, score))).toFixed(1)
const steps = [0, 25, 50, 75, 100]

/** Returns the header of a column of intervals: their shared axis. */
export function axis(): Markup {
  return html`<svg class="plot" viewBox="0 0 200 12" width="200" height="12" aria-hidden="true">${[0, 50, 100].map((each) => html`<text x="${x(each)}" y="10" text-anchor="middle">${each}</text>`)}</svg>`
}

/** Returns a drawing of a score with its interval, or with the range over judges if there is no interval. */
export function interval({ score, interval: known, spread, rank }: Pick<Ranked, 'score' | 'interval' | 'spread' | 'rank'>): Markup {
  if (score === null) return html`<span class="soft">–</span>`
  const { min, max } = known ?? spread ?? { min: score, max: score }
  const color = rank === 1 ? 'c1' : 'c5'
  const label = `${formatScore(score)}, ${known === null ? `from ${formatScore(min)} to ${formatScore(max)}` : `95% interval ${formatSpread(known)}`}`
  return html`<svg class="plot" viewBox="0 0 200 22" width="200" height="22" role="img" aria-label="${label}">${steps.map((each) => html`<line x1="${x(each)}" x2="${x(each)}" y1="0" y2="22" stroke-dasharray="2 3"/>`)}<path class="whisker ${color}" d="M${x(min)} 11H${x(max)}M${x(min)} 7v8M${x(max)} 7v8"/><circle class="${color}" cx="${x(score)}" cy="11" r="4.5"/></svg>`
}

const width = 640
const height = 260
const left = 40
const right = 120
const top = 10
const bottom = 34

/**
 * Returns a plot of cost against score, with one named point for each participant. Null if fewer than two costs are known, or all are zero.
 */
export function costAgainstScore(rows: readonly Pick<Ranked, 'name' | 'score' | 'costUsd' | 'rank'>[]): Markup | null {
  const points = rows.flatMap((row) =>
    row.score === null || row.costUsd === null ? [] : [{ ...row, score: row.score, costUsd: row.costUsd }],
  )
  const most = Math.max(0, ...points.map(({ costUsd }) => costUsd))
  if (points.length < 2 || most === 0) return null
  const at = (cost: number): string => (left + (cost / most) * (width - left - right)).toFixed(1)
  const up = (score: number): number => top + (1 - score / 100) * (height - top - bottom)
  const said = points.map(({ name, score, costUsd }) => `${name}: ${formatScore(score)} for ${formatCost(costUsd)}`).join('; ')
  // Names of points that are close together are spaced out.
  let last = Number.NEGATIVE_INFINITY
  const names = points
    .toSorted((a, b) => up(a.score) - up(b.score))
    .map((each) => {
      last = Math.max(up(each.score), last + 14)
      return { ...each, y: last }
    })
  return html`<section class="stack"><h2>Cost against score</h2><div class="scroller" tabindex="0" role="region" aria-label="Cost against score"><svg class="plot" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${said}">
${steps.map((each) => html`<line x1="${left}" x2="${width - right}" y1="${up(each)}" y2="${up(each)}" stroke-dasharray="2 3"/><text x="${left - 8}" y="${up(each) + 4}" text-anchor="end">${each}</text>`)}
${[0, most / 2, most].map((each) => html`<text x="${at(each)}" y="${height - 14}" text-anchor="middle">${formatCost(each)}</text>`)}
${names.map((each) => html`<circle class="${each.rank === 1 ? 'c1' : 'c5'}" cx="${at(each.costUsd)}" cy="${up(each.score).toFixed(1)}" r="4.5"/><text class="ink" x="${Number(at(each.costUsd)) + 9}" y="${(each.y + 4).toFixed(1)}">${each.name}</text>`)}
</svg></div></section>`
}
