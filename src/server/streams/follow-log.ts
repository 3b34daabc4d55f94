import type { Numbered } from './numbered.ts'

/** The next step of a follower. `position` is the number to resume after. */
export type Step<T> =
  | { readonly kind: 'items'; readonly items: readonly T[]; readonly position: number }
  /** A gap: items after the previous position are missing, or that position is in the future. The stream continues after `position`. */
  | { readonly kind: 'reset'; readonly position: number }

const batch = 64

/**
 * Yields every item of a source after a number and then new ones, without gaps or duplicates, until the source has ended or the
 * signal is aborted. Reads one batch at a time, and the next batch only on demand.
 */
export async function* follow<T>(source: Numbered<T>, after: number, signal: AbortSignal): AsyncGenerator<Step<T>, void, undefined> {
  let position = after
  let grown = Promise.withResolvers<void>()
  const wake = (): void => grown.resolve()
  const stop = source.onGrowth(wake)
  signal.addEventListener('abort', wake)
  try {
    if (position > source.last) {
      position = source.last
      yield { kind: 'reset', position }
    }
    while (!signal.aborted) {
      // Set both before the read: a change during it wakes the next round.
      grown = Promise.withResolvers<void>()
      const ended = source.ended === true
      const items = await source.after(position, batch)
      if (signal.aborted) return
      const [next] = items
      const isLost = source.first > position + 1 && (next === undefined || source.numberOf(next) > position + 1)
      if (isLost) {
        position = source.first - 1
        yield { kind: 'reset', position }
      } else if (next !== undefined) {
        position = source.numberOf(items.at(-1) ?? next)
        yield { kind: 'items', items, position }
      } else if (ended) return
      else await grown.promise
    }
  } finally {
    stop()
    signal.removeEventListener('abort', wake)
  }
}
