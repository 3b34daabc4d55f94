const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const sizeUnits: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
}

/** The form of a duration and of a size, for JSON Schema. Zero and numbers that are too large are refused in addition. */
export const durationPattern = `^\\d{1,12}(?:\\.\\d{1,3})?(?:${Object.keys(durationUnits).join('|')})$`
export const sizePattern = `^\\d{1,12}(?:\\.\\d{1,3})?(?:${Object.keys(sizeUnits).join('|')})$`

export const durationRule = 'a number and a unit, such as 500ms, 90s, 30m or 2h'
export const sizeRule = 'a number and a unit, such as 200MB, 512MiB or 2GiB'

/** Returns the milliseconds of `90s`, `30m` or `1.5h`. Null if the text has another form, is zero, or is not a safe whole number. */
export function parseDuration(text: string): number | null {
  return quantity(text, durationUnits)
}

/** Returns the bytes of `512MiB` or `2GB`. Null if the text has another form, is zero, or is not a safe whole number. */
export function parseSize(text: string): number | null {
  return quantity(text, sizeUnits)
}

function quantity(text: string, units: Readonly<Record<string, number>>): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)([A-Za-z]+)$/.exec(text)
  const unit = match?.[2]
  if (!match || unit === undefined || !Object.hasOwn(units, unit)) return null
  const value = Math.round(Number(match[1]) * (units[unit] ?? 0))
  return value > 0 && Number.isSafeInteger(value) ? value : null
}

/** Returns a size as text for people, such as `1.5 GiB`, `12 KiB` or `7 B`. */
export function formatSize(bytes: number): string {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < names.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${names[unit]}`
}

/** Returns a duration as text for people, such as `840 ms`, `12.3 s`, `4 min 05 s` or `1 h 02 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  const pad = (value: number): string => String(value).padStart(2, '0')
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} min`
}

/**
 * Returns `15:02`, or `25 Nov, 15:02` if not within a day of `now`, in the host's time zone. Both arguments are in milliseconds since the
 * epoch.
 */
export function formatMoment(ms: number, now: number): string {
  const date = Math.abs(ms - now) < 86_400_000 ? {} : ({ day: 'numeric', month: 'short' } as const)
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...date }).format(ms)
}

/** Returns a cost in US dollars for people: `$0.0042`, `$1.50`; `–` for null. */
export function formatCost(usd: number | null): string {
  return usd === null ? '–' : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`
}
