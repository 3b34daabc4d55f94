import type { FleetDatabase } from './database.ts'
import type { EventKind } from './fleet-event-kinds.ts'

/** One change in the fleet. `id` increases by at least one with each event. */
export interface FleetEvent {
  readonly id: number
  /** ISO 8601. */
  readonly at: string
  /** The kind of the change, such as `agent.created` or `job.ended`. */
  readonly kind: string
  /** The id of the agent, or null. */
  readonly agent: string | null
  readonly job: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** Read access to the log of a fleet. */
export interface EventReader {
  /** The id of the newest event; 0 before the first event. */
  readonly last: number
  /** The id of the oldest stored event, or of the next event if none is stored. */
  readonly first: number
  /** Returns events with a larger id, in order. */
  after(id: number, limit: number): readonly FleetEvent[]
  /** Calls the listener after each commit. Returns a function that removes the listener. */
  onGrowth(listener: () => void): () => void
}

/** The single ordered log of a fleet. Each event is written in the transaction of the change that it reports. */
export interface EventLog extends EventReader {
  /** Adds an event within the transaction of the change. */
  add(event: { readonly kind: EventKind } & Partial<Pick<FleetEvent, 'agent' | 'job' | 'data'>>): void
  /** Deletes at most `most` of the events that are older than the newest `count`. Returns true if there are more of them. */
  keep(count: number, most: number): boolean
}

export function eventLog({ sql, onCommit }: FleetDatabase, now: () => Date = () => new Date()): EventLog {
  return {
    get last() {
      // Even if the newest events are deleted, ids are not reused.
      const row = sql("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get() as { seq: number } | undefined
      return row?.seq ?? 0
    },
    get first() {
      const row = sql('SELECT id FROM events ORDER BY id LIMIT 1').get() as { id: number } | undefined
      return row?.id ?? this.last + 1
    },
    after(id, limit) {
      const rows = sql('SELECT id, at, kind, agent, job, data FROM events WHERE id > ? ORDER BY id LIMIT ?').all(id, limit)
      return rows.map((row) => ({ ...(row as unknown as FleetEvent), data: JSON.parse(String(row['data'])) as FleetEvent['data'] }))
    },
    onGrowth: onCommit,
    add({ kind, agent = null, job = null, data = {} }) {
      sql('INSERT INTO events (at, kind, agent, job, data) VALUES (?, ?, ?, ?, ?)').run(
        now().toISOString(),
        kind,
        agent,
        job,
        JSON.stringify(data),
      )
    },
    keep(count, most) {
      const [oldest, newest] = [this.first, this.last - count]
      sql('DELETE FROM events WHERE id <= ?').run(Math.min(newest, oldest + most - 1))
      return oldest + most <= newest
    },
  }
}
