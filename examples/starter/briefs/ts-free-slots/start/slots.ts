/** A time from `from` (included) to `to` (not included), in minutes since midnight. */
export interface Slot {
  from: number
  to: number
}

/** Returns the parts of a day that are free for at least `minutes`. */
export function freeSlots(day: Slot, busy: Slot[], minutes: number): Slot[] {
  const free: Slot[] = []
  let at = day.from
  busy.sort()
  for (const each of busy) {
    if (each.from - at > minutes) free.push({ from: at, to: each.from })
    at = each.to
  }
  if (day.to - at > minutes) free.push({ from: at, to: day.to })
  return free
}

/** Returns the longest free slot; null if there is none. */
export function longestFree(day: Slot, busy: Slot[]): Slot | null {
  let longest: Slot | null = null
  for (const each of freeSlots(day, busy, 1)) {
    if (longest === null || each.to - each.from >= longest.to - longest.from) longest = each
  }
  return longest
}
