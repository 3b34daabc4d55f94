import type { FleetDatabase } from './database.ts'
import type { EventKind } from './event-kinds.ts'

/** One thing that changed in the fleet. `id` grows by at least one with each. */
export interface FleetEvent {
  readonly id: number
  /** ISO 8601. */
  readonly at: string
  /** `agent.created`, `job.ended`: what changed. */
  readonly kind: string
  /** The id of the agent. */
  readonly agent: string | null
  readonly job: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** The log of a fleet to its readers. */
export interface EventReader {
  /** The id of the newest event; 0: there was none yet. */
  readonly last: number
  /** The id of the oldest event that is kept; 1 if there is none. */
  readonly first: number
  /** Events with a larger id, in order. */
  after(id: number, limit: number): readonly FleetEvent[]
  /** Calls the listener once something was committed. Returns what ends that. */
  onGrowth(listener: () => void): () => void
}

/** The one ordered log of a fleet: each change is written in the transaction of what it reports. */
export interface EventLog extends EventReader {
  /** Adds one; called within the transaction of the change. */
  add(event: { readonly kind: EventKind } & Partial<Pick<FleetEvent, 'agent' | 'job' | 'data'>>): void
  /** Deletes all but this many of the newest. */
  keep(count: number): void
}

export function eventLog({ sql, onCommit }: FleetDatabase, now: () => Date = () => new Date()): EventLog {
  return {
    get last() {
      // Also when the newest events are deleted: ids are never given twice.
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
    keep(count) {
      sql('DELETE FROM events WHERE id <= ?').run(this.last - count)
    },
  }
}
