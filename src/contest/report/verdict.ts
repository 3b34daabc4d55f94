import type { Ranked, Verdict } from './summary.ts'

/** Returns the verdict as one sentence for people. `rows` are in the order of the ranking. */
export function verdictSentence(verdict: Omit<Verdict, 'sentence'>, rows: readonly Pick<Ranked, 'name' | 'score'>[]): string {
  const { leader, front, cheapest, clusters, toSettle, byChecks } = verdict
  const scored = rows.filter(({ score }) => score !== null)
  const top = scored.filter(({ score }) => score === scored[0]?.score).map(({ name }) => name)
  if (scored.length === 1) return `${top[0]} is the only one with scores, so there is nobody to compare it with.`
  if (front.length === 0) return 'Nobody judged all of them together, so their scores cannot be compared.'
  if (byChecks && leader !== null) return `${leader} leads: it passed the most checks, which come before what judges say.`
  const unit = clusters.by === 'judges' ? 'judge' : 'brief'
  if (clusters.count < 3)
    return `${and(top)} ${top.length === 1 ? 'has' : 'share'} the highest score, but ${count(clusters.count, unit)} cannot tell how sure that is: it needs three.`
  const about = clusters.by === 'judges' ? `, as ${clusters.count} judges see this one brief, which says nothing about other work` : ''
  if (leader !== null) return `${leader} leads${about}.`
  const choice = cheapest === null ? '' : `; ${cheapest} is the cheapest of them`
  const settle =
    toSettle === null || toSettle <= clusters.count
      ? ''
      : `; about ${count(toSettle, unit)} would settle it if they go on to differ as they do`
  return `${front.length === scored.length && front.length > 3 ? `All ${front.length}` : and(front)} cannot be told apart${about}${choice}${settle}.`
}

function and(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((each) => each !== '').join(' and ')
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
