import { CronExpressionParser } from 'cron-parser'
import { expect, test } from 'vitest'
import { CronTimes } from '../../../src/fleet/schedules/cron.ts'

const [start, end] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2027-01-01T00:00:00Z')]
/** A zone whose clocks change by half an hour. The other library loses all times after the change. */
const leftOut = 'Australia/Lord_Howe'
const all = Intl.supportedValuesOf('timeZone').filter((each) => each !== leftOut)
const zones = [...all.filter((_, index) => index % 23 === 0).slice(0, 20), 'Europe/Berlin', 'America/New_York', 'America/St_Johns']
const patterns = ['30 9 * * 1-5', '0 0 1 * *', '30 2 * * *', '15 1 * * *', '0 0 13 * 5', '5 */3 * * *', '0 12 29 2 *']

/** Returns how many minutes the clocks of a zone are ahead of UTC. */
function offset(zone: string, ms: number): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(ms)
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

test.each(zones)('a year of times in %s is that of another library', (zone) => {
  for (const pattern of patterns) {
    const own = new CronTimes(pattern, zone)
    const times: number[] = []
    for (let time = own.after(start); time !== null && time < end; time = own.after(time)) times.push(time)
    const others: number[] = []
    const other = CronExpressionParser.parse(pattern, { tz: zone, currentDate: new Date(start), endDate: new Date(end - 1) })
    while (other.hasNext()) others.push(other.next().getTime())
    expect(times.length, pattern).toBe(others.length)
    times.forEach((time, index) => {
      const theirs = others[index] ?? 0
      if (time === theirs) return
      // A time that a clock change skips: ours is right after the change, theirs as long after it as the skipped time was after its start.
      expect(offset(zone, time) - offset(zone, time - 1), `${pattern} ${new Date(time).toISOString()}`).toBeGreaterThan(0)
      expect(theirs - time).toBeLessThan(3_600_000)
    })
  }
})

test('in a zone whose clocks change by half an hour, no day is without its time', () => {
  const own = new CronTimes('15 1 * * *', leftOut)
  const times: number[] = []
  for (let time = own.after(start); time !== null && time < end; time = own.after(time)) times.push(time)
  expect(times).toHaveLength(365)
})
