import type { Ranked, Verdict } from '../ranking/contest-summary.ts'

/** A row of a ranking, as far as the verdict needs it. */
export type VerdictRow = Pick<Ranked, 'name' | 'score' | 'strength' | 'costUsd'>

/** How a suite extends the verdict. */
interface Extended {
  /** Returns the name of a participant in the first sentence. */
  called(name: string): string
  /** The sentence after the first one; null: there is none. */
  readonly second: string | null
}

/** Returns the verdict as text for people. `rows` are in the order of the ranking. `isUniform`: see `Certainty`. */
export function verdictSentence(
  verdict: Omit<Verdict, 'sentence'>,
  rows: readonly VerdictRow[],
  isUniform: boolean,
  { called, second }: Extended = { called: (name) => name, second: null },
): string {
  const { leader, front, clusters, byChecks } = verdict
  const scored = rows.filter(({ name, score }) => score !== null && verdict.apart.every((each) => each.name !== name))
  const top = scored.filter(({ score }) => score === scored[0]?.score).map(({ name }) => called(name))
  const ends = apartSentences(verdict)
  const text = (first: string, ...more: readonly (string | null)[]): string =>
    [first, second, ...more, ...ends].filter((each) => each !== null).join(' ')
  if (scored.length === 1) return text(`Only ${top[0]} has scores, so there is nothing to compare them with.`)
  if (front.length === 0) return text('No judge scored all of them together, so their scores cannot be compared.')
  if (byChecks && leader !== null)
    return text(`${called(leader)} leads. It passed the most checks, which take precedence over the judges' scores.`)
  const unit = clusters.by === 'judges' ? 'judge' : 'brief'
  if (clusters.count < 3)
    return text(
      `${namesText(top)} ${top.length === 1 ? 'has' : 'share'} the highest score. It takes at least three ${unit}s to know how certain that is; there ${clusters.count === 1 ? 'is one' : `are ${clusters.count}`}.`,
    )
  const where = clusters.by === 'judges' ? ` on this one brief, according to ${clusters.count} judges` : ` over ${clusters.count} briefs`
  const other = clusters.by === 'judges' ? 'This says nothing about other work.' : null
  if (leader !== null) return text(`${called(leader)} leads${where}.`, other)
  const names = front.map(called)
  const [strongest = '', ...others] = names
  if (isUniform)
    return text(
      `${strongest} has a higher score than ${namesText(others)}${clusters.by === 'judges' ? ' on this one brief' : ''}, by the same difference for all ${clusters.count} ${unit}s, but scores in such large steps can agree by chance.`,
      cheapestSentence(verdict, rows),
      other,
    )
  return text(
    `${front.length === scored.length && front.length > 3 ? `All ${front.length}` : namesText(names)} cannot be told apart${where}.`,
    cheapestSentence(verdict, rows),
    settledSentence(verdict),
    other,
  )
}

/** Returns who is the cheapest of the front, how far it may be behind, and what it costs beside the strongest. */
function cheapestSentence({ front, cheapest }: Omit<Verdict, 'sentence'>, rows: readonly VerdictRow[]): string | null {
  if (cheapest === null) return null
  if (cheapest === front[0]) return `The cheapest of them is ${cheapest}, which also has the highest score.`
  const rowOf = (name: string | undefined): VerdictRow | undefined => rows.find((each) => each.name === name)
  const [own, best] = [rowOf(cheapest), rowOf(front[0])]
  const behind = own?.strength?.behind ?? null
  const share = own?.costUsd && best?.costUsd ? Math.round((100 * own.costUsd) / best.costUsd) : null
  const gap = behind === null ? '' : `, at most ${behind.toFixed(1)} points behind the best`
  const cost = share === null ? '' : `${gap === '' ? ',' : ''} at ${share}% of the cost of ${front[0]}`
  return `The cheapest of them is ${cheapest}${gap}${cost}.`
}

function settledSentence({ clusters, toSettle }: Omit<Verdict, 'sentence'>): string | null {
  if (clusters.by === 'judges') return null
  if (toSettle === null) return clusters.count < 8 ? `${clusters.count} briefs are too few to say how many would settle it.` : null
  if (toSettle.to === null)
    return toSettle.from <= clusters.count
      ? 'They may be equal, so no number of briefs is sure to settle it.'
      : `At least ${toSettle.from} briefs would be needed to settle it.`
  return `About ${toSettle.from === toSettle.to ? toSettle.from : `${toSettle.from} to ${toSettle.to}`} briefs would settle it if they continue to differ as much.`
}

function apartSentences({ apart }: Omit<Verdict, 'sentence'>): string[] {
  const few = apart.filter(({ why }) => why === 'few-briefs')
  const broken = apart.filter(({ why }) => why === 'infrastructure').map(({ name }) => name)
  return [
    ...few.map(
      ({ name, briefs }) => `${name} is not compared, because it was judged in only ${briefs === 1 ? '1 brief' : `${briefs} briefs`}.`,
    ),
    ...(broken.length === 0
      ? []
      : [
          `${namesText(broken)} ${broken.length === 1 ? 'is' : 'are'} not compared, because over a fifth of ${broken.length === 1 ? 'its' : 'their'} attempts could not run.`,
        ]),
  ]
}

/** Returns names as text: `a, b and c`. */
export function namesText(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((each) => each !== '').join(' and ')
}
