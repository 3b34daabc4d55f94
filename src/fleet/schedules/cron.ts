import { Cron } from 'croner'
import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'

/** The form of a pattern. */
export const fiveFields = /^\S+(?: \S+){4}$/
const hint = 'Give five fields, minute hour day month weekday, for example 30 9 * * 1-5'

/**
 * Times of a cron pattern (crontab(5)) in an IANA time zone: five fields, names of months and days, ranges, lists and steps. If both day of
 * month and weekday are given, either matches. A time that a clock change skips moves to right after the change, and one that it
 * repeats occurs once.
 */
export class CronTimes {
  readonly #cron: Cron

  /** Parses a pattern. @throws PaddockError BAD_INPUT if the pattern or the zone is not valid */
  constructor(pattern: string, zone: string) {
    if (!fiveFields.test(pattern)) throw new PaddockError('BAD_INPUT', `${pattern} is not a cron pattern of five fields.`, { hint })
    refuseUnknownZone(zone)
    try {
      this.#cron = new Cron(pattern, { timezone: zone, paused: true })
      // Croner checks the zone only here.
      this.#cron.nextRun()
    } catch (error) {
      const why = (error as Error).message.replace(/^CronPattern: /, '').replace(/\.$/, '')
      throw new PaddockError('BAD_INPUT', `${pattern} is not a cron pattern: ${why}.`, { hint, cause: error })
    }
  }

  /** Returns the first time after a given one, in milliseconds since the epoch, or null if there is none. */
  after(ms: number): number | null {
    return this.#cron.nextRun(new Date(ms))?.getTime() ?? null
  }

  /** Returns the first `count` times after a given one. */
  next(count: number, ms: number): readonly number[] {
    return this.#cron.nextRuns(count, new Date(ms)).map((each) => each.getTime())
  }
}

function refuseUnknownZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch (error) {
    const near = nearest(zone, ['UTC', ...Intl.supportedValuesOf('timeZone')])
    throw new PaddockError('BAD_INPUT', `${zone} is not a time zone.`, {
      hint: near === null ? 'Give a name of the IANA database, such as Europe/Berlin or UTC' : `Did you mean ${near}?`,
      cause: error,
    })
  }
}
