import { fairCoin } from '../probability/fair-coin.ts'

/** A judge's decisions on one pair in both orders, seen from the same participant: 1 it won, ½ a tie, 0 it lost. */
export interface BothOrders {
  readonly shownFirst: number
  readonly shownSecond: number
}

export interface Position {
  readonly pairs: number
  /** The share of pairs that were judged the same in both orders. */
  readonly consistency: number
  /** Flips to the one shown first minus flips to the one shown second, divided by pairs: from −1 to 1. */
  readonly bias: number
  /** The exact two-sided probability of flips this uneven if both directions are equally likely. */
  readonly p: number
}

/** Returns how much a judge follows the order in which it sees a pair; null if there are no pairs. */
export function positionOf(pairs: readonly BothOrders[]): Position | null {
  if (pairs.length === 0) return null
  const first = pairs.filter(({ shownFirst, shownSecond }) => shownFirst > shownSecond).length
  const second = pairs.filter(({ shownFirst, shownSecond }) => shownFirst < shownSecond).length
  return {
    pairs: pairs.length,
    consistency: (pairs.length - first - second) / pairs.length,
    bias: (first - second) / pairs.length,
    p: fairCoin(first, first + second),
  }
}
