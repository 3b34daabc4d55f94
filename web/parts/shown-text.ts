const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** Returns a duration in the largest unit that fits, rounded down: `12 min`. */
export function span(ms: number): string {
  const [size, name] = units.find(([each]) => ms >= each) ?? units[3]
  return `${Math.max(0, Math.floor(ms / size))} ${name}`
}

/** Returns a duration for countdowns: `1 min 12 s`. */
export function left(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return span(ms)
}

/** Returns an amount in US dollars, or `–` if there is none. */
export const usd = (value: number | null | undefined): string =>
  value == null ? '–' : `$${value > 0 && value < 0.01 ? value.toFixed(4) : value.toFixed(2)}`

/** Returns a budget as text: `$2.00, 100 turns`. */
export function budgetText(budget: {
  readonly usd?: number | undefined
  readonly turns?: number | undefined
  readonly tokens?: number | undefined
  readonly time?: string | undefined
}): string {
  return [
    ...(budget.usd === undefined ? [] : [usd(budget.usd)]),
    ...(budget.turns === undefined ? [] : [many(budget.turns, 'turn')]),
    ...(budget.tokens === undefined ? [] : [many(budget.tokens, 'token')]),
    ...(budget.time === undefined ? [] : [budget.time]),
  ].join(', ')
}

export const count = (value: number): string => value.toLocaleString('en')

/** Returns a number with its noun: `1 job` or `3 jobs`. */
export const many = (value: number, one: string, more = `${one}s`): string => `${count(value)} ${value === 1 ? one : more}`

/** Returns a shortened number, such as `18 k` for tokens. */
export function short(value: number): string {
  if (value < 10_000) return count(value)
  return value < 10_000_000 ? `${count(Math.round(value / 1_000))} k` : `${count(Math.round(value / 1_000_000))} M`
}

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log2(value) / 10))
  const scaled = value / 1_024 ** power
  return `${scaled < 10 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)} ${sizes[power]}`
}

/** Returns the time of day, with the date unless it is today. */
export function clock(at: string): string {
  const time = new Date(at)
  const isToday = time.toDateString() === new Date().toDateString()
  const day = isToday ? '' : `${time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, `
  return day + time.toLocaleTimeString('en-GB', { hour12: false })
}

/** Returns the time to the second with its zone, for titles. */
export const exact = (at: string): string => new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

/** Returns a word with a capital letter, for the start of a sentence. */
export function begun(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
