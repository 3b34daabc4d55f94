import type { Board, Verdict } from '../../ranking/contest-summary.ts'
import { namesText, verdictSentence } from '../../report/verdict-sentence.ts'
import type { SuiteRow } from './suite-summary.ts'
import { percent } from './suite-text.ts'

/** The most participants whose deliveries the verdict lists. The table has the others. */
const mostListed = 5

/**
 * Returns the verdict on a suite as text for people: who leads, how much each of the front delivered, and who would lead if only delivered
 * work counted, or if it did not. `rows` are in the order of the ranking.
 */
export function suiteSentence(
  verdict: Omit<Verdict, 'sentence'>,
  rows: readonly SuiteRow[],
  { boards, isUniform, now }: { readonly boards: readonly Board[]; readonly isUniform: boolean; readonly now: Date },
): string {
  const called = (name: string): string => {
    const row = rows.find((each) => each.name === name)
    return row === undefined ? name : `${name}${programWords(row)}`
  }
  const priced = rows.map((row) => ({ ...row, costUsd: row.costPerSuccess?.costUsd ?? null }))
  const other = boards.find(({ id }) => id === 'delivered' || id === 'strength')
  const isOther = other !== undefined && other.front.length > 0 && verdict.front.length > 0 && !isSame(other.front, verdict.front)
  const shown = new Set([...verdict.front, ...(isOther ? other.front : [])])
  const second = deliveredSentence(
    rows.filter(({ name }) => shown.has(name)),
    now,
  )
  const sentence = verdictSentence(verdict, priced, isUniform, { called, second })
  return isOther ? `${sentence} ${otherSentence(other)}` : sentence
}

/** Returns the program of a participant, such as ` (claude 2.1.4, opus)`; nothing if it adds nothing to the name. */
function programWords({ name, agent, model, versions }: SuiteRow): string {
  if (agent === 'command' && model === null) return ''
  const program = [agent, ...(versions.length === 0 ? [] : [versions.join(' or ')])].join(' ')
  const words = model === null ? program : `${program}, ${model}`
  return words === name ? '' : ` (${words})`
}

function deliveredSentence(rows: readonly SuiteRow[], now: Date): string | null {
  const known = rows.filter(({ completion }) => completion.share !== null)
  if (known.length === 0) return null
  const list = known.slice(0, mostListed).map(({ name, completion: { hits, of, interval }, passes }) => {
    const sure = interval === null ? '' : ` (${percent(interval.low)}–${percent(interval.high)}%)`
    return `${name} ${hits} of ${of}${sure}${passes === null ? '' : `, ${passes.hits} with all checks passed`}`
  })
  const more = known.length - list.length
  const comma = known.some(({ passes }) => passes !== null) ? '; ' : ', '
  return `Delivered by ${now.toISOString().slice(0, 10)}: ${list.join(comma)}${more === 0 ? '' : ` and ${more} more`}.`
}

function otherSentence({ id, front }: Board): string {
  const what = id === 'strength' ? 'If only delivered work counts' : 'If a failure to deliver counts as a loss'
  return `${what}, ${namesText(front)} ${front.length === 1 ? 'leads' : 'cannot be told apart'} instead.`
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name))
}
