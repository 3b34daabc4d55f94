import type { BothOrders } from './cards/position.ts'
import type { Pair } from './contest-summary.ts'

/** A judge's comparison of two participants, both orders together. */
export interface Compared {
  readonly judge: string
  readonly a: string
  readonly b: string
  /** The decisions in both orders, from the perspective of `a`. */
  readonly orders: BothOrders
  /** The share that `a` won: the mean of both orders. */
  readonly score: number
}

/** Returns the comparisons that were answered in both orders. A verdict in a single order depends as much on the order as on the work. */
export function comparedOf(pairs: readonly Pair[]): Compared[] {
  const groups = Map.groupBy(pairs, ({ judge, first, second }) => JSON.stringify([judge, ...[first, second].toSorted()]))
  return [...groups.values()].flatMap((group) => {
    const [one] = group
    if (one === undefined) return []
    const { judge, first: a, second: b } = one
    const reversed = group.find((each) => each.first === b)
    if (reversed === undefined) return []
    const orders = { shownFirst: wonBy(a, one), shownSecond: wonBy(a, reversed) }
    return [{ judge, a, b, orders, score: (orders.shownFirst + orders.shownSecond) / 2 }]
  })
}

function wonBy(name: string, { better }: Pair): number {
  return better === null ? 0.5 : Number(better === name)
}

/** How often one participant was preferred to another. */
export interface Meeting {
  readonly comparisons: number
  /** The number of comparisons that the first participant won. A tie is half a win. */
  readonly won: number
  /** The number of comparisons whose result depended on the order. */
  readonly flips: number
}

/** Returns the record of one participant against another; null if nobody compared them. */
export function meetingOf(a: string, b: string, compared: readonly Compared[]): Meeting | null {
  const met = compared.filter((each) => (each.a === a && each.b === b) || (each.a === b && each.b === a))
  if (met.length === 0) return null
  return {
    comparisons: met.length,
    won: met.reduce((sum, each) => sum + (each.a === a ? each.score : 1 - each.score), 0),
    flips: met.filter(({ orders }) => orders.shownFirst !== orders.shownSecond).length,
  }
}
