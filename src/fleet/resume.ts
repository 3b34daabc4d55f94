import { skipped } from './schedules/schedule-runner.ts'
import type { DiscordRecords } from './store/discord-records.ts'
import { type Pause, type PauseStore, pausedText } from './store/pause-store.ts'
import type { Schedules } from './store/schedule-store.ts'
import type { Webhooks } from './store/webhook-store.ts'

export interface Resumed {
  readonly database: { transaction<T>(work: () => T): T }
  readonly pause: PauseStore
  readonly schedules: Schedules
  readonly webhooks: Pick<Webhooks, 'skip'>
  readonly discord: Pick<DiscordRecords, 'skip'>
}

const batch = 50

/**
 * Ends the pause of a fleet. Nothing is made up for: times of schedules, events, messages and posts of the pause are left out.
 * `now`: milliseconds since the epoch. Returns the pause that ended, or null if there was none.
 */
export function resumeStore({ database, pause, schedules, webhooks, discord }: Resumed, now: number): Pause | null {
  return database.transaction(() => {
    const ended = pause.now()
    if (ended === null) return null
    for (let due = schedules.due(now, batch); due.length > 0; due = schedules.due(now, batch))
      for (const each of due) schedules.pass(each.id, skipped(each, pausedText, now))
    discord.skip(now, pausedText)
    webhooks.skip()
    pause.end()
    return ended
  })
}
