import type { FleetDatabase } from './database.ts'

/** `waiting`: it failed and is tried again. `skipped`: the event was deleted before it was sent. */
export const outcomeStates = ['delivered', 'waiting', 'given-up', 'skipped'] as const

/** What came of sending an event. */
export interface Outcome {
  /** Its id. */
  readonly event: number
  /** Null: it is not known any more. */
  readonly kind: string | null
  /** The time of the last attempt; ISO 8601. */
  readonly at: string
  readonly state: (typeof outcomeStates)[number]
  readonly attempts: number
  /** The status of the last answer; null: there was none. */
  readonly status: number | null
  /** Why it was not taken, one sentence; null: it was. */
  readonly problem: string | null
  /** When it is tried again; ISO 8601. */
  readonly nextAt: string | null
}

export interface Outcomes {
  put(webhook: string, outcome: Outcome): void
  /** What waits will not be tried again. */
  giveUp(webhook: string): void
  newest(webhook: string): readonly Outcome[]
}

/** Outcomes of each webhook that are kept. */
const kept = 50

export function outcomesOf(sql: FleetDatabase['sql']): Outcomes {
  return {
    put(webhook, { event, kind, at, state, attempts, status, problem, nextAt }) {
      sql('INSERT OR REPLACE INTO webhook_outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
        ...[webhook, event, kind, at, state, attempts, status, problem, nextAt],
      )
      sql(
        `DELETE FROM webhook_outcomes WHERE webhook_id = ?1 AND event <=
           (SELECT event FROM webhook_outcomes WHERE webhook_id = ?1 ORDER BY event DESC LIMIT 1 OFFSET ${kept})`,
      ).run(webhook)
    },
    giveUp(webhook) {
      sql("UPDATE webhook_outcomes SET state = 'given-up', next_at = NULL WHERE webhook_id = ? AND state = 'waiting'").run(webhook)
    },
    newest(webhook) {
      return sql(
        'SELECT event, kind, at, state, attempts, status, problem, next_at AS nextAt FROM webhook_outcomes WHERE webhook_id = ? ORDER BY event DESC',
      ).all(webhook) as unknown as readonly Outcome[]
    },
  }
}
