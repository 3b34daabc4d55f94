import { fairCoin } from './shares.ts'

/** What a judge said about one pair in both orders: `first` and `second` won, lost or tied as seen by the same participant; each is 1, ½ or 0. */
export interface BothOrders {
  /** The score of a participant where it was shown first. */
  readonly shownFirst: number
  /** Its score where it was shown second. */
  readonly shownSecond: number
}

export interface Position {
  readonly pairs: number
  /** Share of the pairs that were judged alike in both orders. */
  readonly consistency: number
  /** Flips to what was shown first, minus flips to what was shown second, by pairs: from −1 to 1. */
  readonly bias: number
  /** Exact two-sided probability of flips so uneven, if both were as likely. */
  readonly p: number
}

/** Returns null if no pair was judged in both orders. */
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
