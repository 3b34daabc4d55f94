import { you } from '../../config/you.ts'
import { labelAt } from '../../state/label.ts'
import { type Pair, pairsFor } from '../judge-pairs.ts'
import type { Mapping, Task } from '../mapping.ts'
import { shuffled } from '../shuffled.ts'

interface Dealt {
  readonly round: number
  readonly submissions: Mapping['submissions']
  readonly identity: Mapping['identity']
  readonly orders: Mapping['orders']
  /** The number of pairs. Default: as many as a judge compares. */
  readonly comparisons?: number | undefined
}

/**
 * Returns the pairs that you compare in a round, each in both orders: first all pairs once in an unpredictable order, then all of them with
 * the order of the two submissions reversed. Label A is the one that you see first, regardless of its author. Pairs dealt before are kept
 * with their answers, unless one of their submissions changed.
 */
export function dealYours({ round, submissions, identity, orders, comparisons }: Dealt, before: Mapping | null): Mapping {
  const shown = { identity, orders }
  const about = { schemaVersion: 3, judging: round, round, mode: 'pairwise', repeats: 1, controls: false, ...shown, submissions } as const
  const trees = new Map(submissions.map(({ participant, tree }) => [participant, tree]))
  const same = new Set(before?.submissions.flatMap(({ participant, tree }) => (trees.get(participant) === tree ? [participant] : [])))
  if (before !== null && same.size === submissions.length && same.size === before.submissions.length) return { ...before, ...shown }
  const kept = before?.tasks.filter(({ labels }) => Object.values(labels).every((each) => same.has(each))) ?? []
  const had = kept.filter(({ id }) => id.endsWith('-1')).map(({ labels }): Pair => [labels['A'] ?? '', labels['B'] ?? ''])
  const isNew = ([a, b]: Pair): boolean => !had.some((pair) => pair.includes(a) && pair.includes(b))
  const pairs = pairsFor([...trees.keys()], had, comparisons).filter(isNew)
  return { ...about, submissions: [...submissions], tasks: [...kept, ...inBothOrders(pairs, numberAfter(before?.tasks ?? []))] }
}

function inBothOrders(pairs: readonly Pair[], from: number): Task[] {
  const once = shuffled(pairs).map((pair, index) => ({ shown: shuffled(pair), id: `pair-${from + index}` }))
  const again = shuffled(once)
  // The same pair must not appear twice in a row.
  if (again[0] === once.at(-1)) again.push(...again.splice(0, 1))
  return [...once.map(({ shown, id }) => taskOf(`${id}-1`, shown)), ...again.map(({ shown, id }) => taskOf(`${id}-2`, shown.toReversed()))]
}

function taskOf(id: string, shown: readonly string[]): Task {
  const labels = Object.fromEntries(shown.map((participant, index) => [labelAt(index), participant]))
  return { id, judge: you, mode: 'pairwise', labels, order: Object.keys(labels), control: false, altered: {} }
}

/** Returns an unused number for pairs, so that an answer to a dropped pair is not mistaken for one to a new pair. */
function numberAfter(tasks: readonly Task[]): number {
  return 1 + Math.max(0, ...tasks.map(({ id }) => Number(/^pair-(\d{1,9})-/.exec(id)?.[1] ?? 0)))
}
