import { fairCoin } from '../probability/fair-coin.ts'

/** A judge's decisions on one pair in both orders, from the perspective of the same participant: 1 is a win, ½ a tie, 0 a loss. */
export interface BothOrders {
  readonly shownFirst: number
  readonly shownSecond: number
}

export interface Position {
  readonly pairs: number
  /** The share of pairs that were judged the same in both orders. */
  readonly consistency: number
  /** The share of pairs that flipped to the one shown first, minus the share that flipped to the one shown second; from −1 to 1. */
  readonly bias: number
  /** The exact two-sided probability of flips this uneven if both directions are equally likely. */
  readonly p: number
}

/** Returns the effect of the order in which a judge sees a pair; null if there are no pairs. */
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
