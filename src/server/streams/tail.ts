import type { Numbered } from './numbered.ts'

const kept = 1_024

/** A source that answers synchronously. */
export interface NumberedNow<T> extends Numbered<T> {
  after(n: number, limit: number): readonly T[]
}

/** Returns a source with its newest items in memory, so that one read serves all followers that wait for the next item. */
export function tailOf<T>(source: NumberedNow<T>): NumberedNow<T> {
  let items: readonly T[] = []
  /** The bounds of `items`, which contains everything over `from` and up to `upTo`. */
  let from = source.last
  let upTo = from
  const catchUp = (): void => {
    if (source.last - upTo > kept) {
      items = []
      from = source.last - kept
      upTo = from
    }
    while (upTo < source.last) {
      const more = source.after(upTo, kept)
      const newest = more.at(-1)
      if (newest === undefined) return
      items = [...items, ...more]
      upTo = source.numberOf(newest)
    }
    const oldest = items.at(-kept - 1)
    if (oldest === undefined) return
    from = source.numberOf(oldest)
    items = items.slice(-kept)
  }
  return {
    get first() {
      return source.first
    },
    get last() {
      return source.last
    },
    get ended() {
      return source.ended ?? false
    },
    numberOf: (item) => source.numberOf(item),
    onGrowth: (listener) => source.onGrowth(listener),
    after: (n, limit) => {
      catchUp()
      // Items that were dropped from the source are not returned from memory either: the follower is reset.
      if (n < from || n + 1 < source.first) return source.after(n, limit)
      // Most followers are close to the end.
      const start = items.findLastIndex((each) => source.numberOf(each) <= n) + 1
      return items.slice(start, start + limit)
    },
  }
}
