import type { FleetDatabase } from './database.ts'

/** `waiting`: the delivery failed and will be retried. `skipped`: the event was deleted before it was sent. */
export const outcomeStates = ['delivered', 'waiting', 'given-up', 'skipped'] as const

/** The outcome of sending an event. */
export interface Outcome {
  /** The id of the event. */
  readonly event: number
  /** The kind of the event; null if it is no longer known. */
  readonly kind: string | null
  /** The time of the last attempt, in ISO 8601. */
  readonly at: string
  readonly state: (typeof outcomeStates)[number]
  readonly attempts: number
  /** The HTTP status of the last response, or null if there was none. */
  readonly status: number | null
  /** The reason why the event was not accepted, in one sentence, or null. */
  readonly problem: string | null
  /** The time of the next attempt, in ISO 8601, or null. */
  readonly nextAt: string | null
}

export interface Outcomes {
  put(webhook: string, outcome: Outcome): void
  /** Records that waiting outcomes will not be retried. */
  giveUp(webhook: string): void
  newest(webhook: string): readonly Outcome[]
}

/** The number of outcomes kept for each webhook. */
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
