import type { Ranked, Verdict } from '../ranking/contest-summary.ts'

/**
 * Returns the verdict as text for people, in one to four sentences. `rows` are in the order of the ranking. `isUniform`: see `Certainty`.
 */
export function verdictSentence(
  verdict: Omit<Verdict, 'sentence'>,
  rows: readonly Pick<Ranked, 'name' | 'score'>[],
  isUniform: boolean,
): string {
  const { leader, front, cheapest, clusters, toSettle, byChecks } = verdict
  const scored = rows.filter(({ score }) => score !== null)
  const top = scored.filter(({ score }) => score === scored[0]?.score).map(({ name }) => name)
  if (scored.length === 1) return `Only ${top[0]} has scores, so there is nothing to compare them with.`
  if (front.length === 0) return 'No judge scored all of them together, so their scores cannot be compared.'
  if (byChecks && leader !== null) return `${leader} leads. It passed the most checks, which take precedence over the judges' scores.`
  const unit = clusters.by === 'judges' ? 'judge' : 'brief'
  if (clusters.count < 3)
    return `${and(top)} ${top.length === 1 ? 'has' : 'share'} the highest score. It takes at least three ${unit}s to know how certain that is; there ${clusters.count === 1 ? 'is one' : `are ${clusters.count}`}.`
  const [where, end] =
    clusters.by === 'judges'
      ? [` on this one brief, according to ${clusters.count} judges`, ['This says nothing about other work.']]
      : ['', []]
  if (leader !== null) return [`${leader} leads${where}.`, ...end].join(' ')
  const settled = toSettle !== null && toSettle > clusters.count
  const [first = '', ...others] = front
  if (isUniform)
    return [
      `${first} has a higher score than ${and(others)}${clusters.by === 'judges' ? ' on this one brief' : ''}, by the same difference for all ${clusters.count} ${unit}s, but scores in such large steps can agree by chance.`,
      ...(cheapest === null ? [] : [`The cheapest of ${and(front)} is ${cheapest}.`]),
      ...(settled ? [`About ${toSettle} ${unit}s would settle it if they continue to agree.`] : []),
      ...end,
    ].join(' ')
  return [
    `${front.length === scored.length && front.length > 3 ? `All ${front.length}` : and(front)} cannot be told apart${where}.`,
    ...(cheapest === null ? [] : [`The cheapest of them is ${cheapest}.`]),
    ...(settled ? [`About ${toSettle} ${unit}s would settle it if they continue to differ as much.`] : []),
    ...end,
  ].join(' ')
}

function and(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((each) => each !== '').join(' and ')
}
