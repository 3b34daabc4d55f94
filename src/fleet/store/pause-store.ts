import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'

/** The pause of a restored fleet, so that it does not act beside the fleet that it was copied from. */
export interface Pause {
  /** ISO 8601. */
  readonly since: string
  /** Whether queued jobs do not start either. */
  readonly jobs: boolean
}

/** While a fleet is paused, its schedules, webhooks, hooks and Discord bot do nothing. */
export interface PauseStore {
  /** Returns the pause, or null if the fleet is not paused. */
  now(): Pause | null
  begin(options: Pick<Pause, 'jobs'>): void
  end(): void
}

/** The reason that is shown for what a pause left out, and how to end it. */
export const pausedText = 'The fleet is paused. To end the pause: paddock fleet resume'

export function pauseStore(database: FleetDatabase, events: EventLog, now: () => Date = () => new Date()): PauseStore {
  const { sql, transaction } = database
  /** The pause, if it was read since its last change. */
  let known: Pause | null | undefined
  database.onRow('pause', () => {
    known = undefined
  })
  const read = (): Pause | null => {
    const row = sql('SELECT since, jobs FROM pause').get()
    return row === undefined ? null : { since: String(row['since']), jobs: row['jobs'] === 1 }
  }
  return {
    now() {
      if (known !== undefined) return known
      const found = read()
      if (!database.inTransaction) known = found
      return found
    },
    begin({ jobs }) {
      transaction(() => {
        sql('INSERT OR REPLACE INTO pause (one, since, jobs) VALUES (1, ?, ?)').run(now().toISOString(), jobs ? 1 : 0)
        events.add({ kind: 'fleet.paused', data: { jobs } })
      })
    },
    end() {
      transaction(() => {
        const { changes } = sql('DELETE FROM pause').run()
        if (changes > 0) events.add({ kind: 'fleet.resumed' })
      })
    },
  }
}
