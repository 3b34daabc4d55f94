const dayMs = 86_400_000

/** One series of the plot, with a value for each day. */
export interface Series {
  readonly name: string
  readonly values: readonly number[]
}

/** Returns the days of a period that ends today, in UTC, oldest first: `2026-01-31`. */
export function daysUntilToday(number: number): readonly string[] {
  const today = Date.parse(new Date().toISOString().slice(0, 10))
  return Array.from({ length: number }, (_, n) => new Date(today - (number - 1 - n) * dayMs).toISOString().slice(0, 10))
}

/** Returns a day as `24 Oct`. */
export const dayText = (day: string): string =>
  new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
