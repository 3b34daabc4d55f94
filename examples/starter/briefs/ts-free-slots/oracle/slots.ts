/** A time from `from` (included) to `to` (not included), in minutes since midnight. */
export interface Slot {
  from: number
  to: number
}

/** Returns the parts of a day that are free for at least `minutes`. */
export function freeSlots(day: Slot, busy: Slot[], minutes: number): Slot[] {
  const free: Slot[] = []
  const add = (from: number, to: number): void => {
    const end = Math.min(to, day.to)
    if (end - from >= minutes) free.push({ from, to: end })
  }
  let at = day.from
  for (const each of busy.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)) {
    add(at, each.from)
    at = Math.max(at, each.to)
  }
  add(at, day.to)
  return free
}

/** Returns the longest free slot; null if there is none. */
export function longestFree(day: Slot, busy: Slot[]): Slot | null {
  let longest: Slot | null = null
  for (const each of freeSlots(day, busy, 1)) {
    if (longest === null || each.to - each.from > longest.to - longest.from) longest = each
  }
  return longest
}
