import { Cron } from 'croner'
import { PaddockError } from '../../errors.ts'

const hint = 'Give five fields, minute hour day month weekday, for example 30 9 * * 1-5, and a zone such as Europe/Berlin'

/**
 * Times of a cron pattern (crontab(5)) in a time zone (IANA): five fields, names of months and days, ranges, lists and steps. A day of the
 * month and a weekday together mean either. A time that a change of the clocks leaves out comes right after the change, one that it
 * repeats comes once.
 */
export class CronTimes {
  readonly #cron: Cron

  /** @throws PaddockError BAD_INPUT */
  constructor(pattern: string, zone: string) {
    if (!/^\S+(?: \S+){4}$/.test(pattern)) throw new PaddockError('BAD_INPUT', `${pattern} is not a cron pattern of five fields.`, { hint })
    try {
      this.#cron = new Cron(pattern, { timezone: zone, paused: true })
      // Zones are looked at only here.
      this.#cron.nextRun()
    } catch (error) {
      throw new PaddockError('BAD_INPUT', `${pattern} in ${zone} is not a cron pattern: ${(error as Error).message}.`, {
        hint,
        cause: error,
      })
    }
  }

  /** The first time after another one, in milliseconds since the epoch; null: there is none. */
  after(ms: number): number | null {
    return this.#cron.nextRun(new Date(ms))?.getTime() ?? null
  }

  /** So many times after another one. */
  next(count: number, ms: number): readonly number[] {
    return this.#cron.nextRuns(count, new Date(ms)).map((each) => each.getTime())
  }
}
