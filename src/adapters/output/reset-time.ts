const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Returns the time at which a limit ends, in milliseconds since the epoch, from a message such as `try again at 11:05 PM`,
 * `try again at Nov 25th, 2026 9:00 AM`, `try again in 3 hours 20 minutes`, `reset after 18h20m0s`, `resets 3pm (Europe/Berlin)` or
 * `limit reached|1795300000`. Null if the message has no time. A time of day without a date means its next occurrence after `now`. Without
 * a zone, the host's zone applies.
 */
export function resetTime(message: string, now: number): number | null {
  const text = message.slice(0, 4_000)
  return absolute(text) ?? relative(text, now) ?? dated(text) ?? timeOfDay(text, now)
}

function absolute(text: string): number | null {
  const epoch = /\|(\d{10})(?:\d{3})?\b/.exec(text)
  if (epoch) return Number(epoch[1]) * 1000
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/.exec(text)
  const time = iso ? Date.parse(iso[0]) : Number.NaN
  return Number.isNaN(time) ? null : time
}

/** Returns the end of a time span. `Retrying after 5000ms` is the pause of a CLI, not the end of a limit. */
function relative(text: string, now: number): number | null {
  const span =
    /(?<!\bretrying )(?:\bin|\bafter)\s+((?:\d+(?:\.\d+)?\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|ms|[dhms])[\s,]*(?:and\s+)?){1,5})/i.exec(
      text,
    )
  if (!span) return null
  let total = 0
  for (const [, amount, unit = ''] of (span[1] ?? '').matchAll(/(\d+(?:\.\d+)?)\s*(ms|[a-z])/gi)) {
    const scale = { ms: 1, s: 1_000, m: 60_000, h: hourMs, d: dayMs }[unit.toLowerCase()] ?? 0
    total += Number(amount) * scale
  }
  return total > 0 && total < 400 * dayMs ? Math.round(now + total) : null
}

function dated(text: string): number | null {
  const found = /\b([A-Z][a-z]{2})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:,| at)? (\d{1,2}):(\d\d) ?([ap])\.?m\b/i.exec(text)
  if (!found) return null
  const month = monthNames.indexOf((found[1] ?? '').toLowerCase())
  const hour = hourOf(found[4], found[6])
  if (month < 0 || hour === null) return null
  const time = new Date(Number(found[3]), month, Number(found[2]), hour, Number(found[5])).getTime()
  return Number.isNaN(time) ? null : time
}

function timeOfDay(text: string, now: number): number | null {
  const found = /\b(?:at|resets?(?: at)?|until)\s+(\d{1,2})(?::(\d\d))?\s?([ap])\.?m\b\.?(?:\s*\(([A-Za-z_+\-/0-9]{2,40})\))?/i.exec(text)
  const hour = found ? hourOf(found[1], found[3]) : null
  if (!found || hour === null) return null
  const wanted = hour * 60 + Number(found[2] ?? 0)
  const ahead = (wanted - minuteOfDay(now, found[4]) + 24 * 60) % (24 * 60)
  return Math.floor(now / 60_000) * 60_000 + (ahead === 0 ? 24 * 60 : ahead) * 60_000
}

function minuteOfDay(time: number, zone: string | undefined): number {
  const parts = (timeZone: string | undefined): Intl.DateTimeFormatPart[] =>
    new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(timeZone ? { timeZone } : {}),
    }).formatToParts(time)
  let found: Intl.DateTimeFormatPart[]
  try {
    found = parts(zone)
  } catch {
    found = parts(undefined)
  }
  const value = (type: string): number => Number(found.find((part) => part.type === type)?.value ?? 0)
  return value('hour') * 60 + value('minute')
}

function hourOf(hour: string | undefined, half: string | undefined): number | null {
  const number = Number(hour)
  if (!(number >= 1 && number <= 12)) return null
  return (number % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)
}
