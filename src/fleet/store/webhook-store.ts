import { randomBytes } from 'node:crypto'
import { PaddockError } from '../../base/errors.ts'
import { newId } from '../ids.ts'
import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'
import type { EventKind } from './fleet-event-kinds.ts'
import { type Outcome, type Outcomes, outcomesOf } from './webhook-outcomes.ts'

export interface WebhookWish {
  readonly name: string
  readonly url: string
  /** The kinds of events that the webhook sends. */
  readonly kinds: readonly EventKind[]
  /** The key for signatures; null to create a key of 256 random bits. */
  readonly secret: string | null
}

export interface Webhook extends Omit<WebhookWish, 'secret'> {
  readonly id: string
  readonly paused: boolean
  /** The id of the newest event that is finished. */
  readonly cursor: number
  /** The event that could not be delivered so far, or null. `attempts` is the number of attempts. */
  readonly trying: number | null
  readonly attempts: number
  /** The time when that event is retried, in milliseconds since the epoch; null: immediately. */
  readonly dueAt: number | null
  readonly createdAt: string
}

export interface Webhooks {
  /**
   * Creates a webhook for events from now on. The secret is stored in plain text, because it is needed to sign deliveries.
   * @throws PaddockError CONFLICT if the name is taken
   */
  create(wish: WebhookWish): { readonly webhook: Webhook; readonly secret: string }
  /** Returns the webhook with this name or id. @throws PaddockError NOT_FOUND */
  find(nameOrId: string): Webhook
  /** Returns the secret, or null if there is no such webhook. */
  secret(id: string): string | null
  list(): readonly Webhook[]
  /** Returns the webhooks that are not paused. */
  active(): readonly Webhook[]
  /** Pauses or resumes. Events during a pause are not sent, nor is an event that could not be delivered before the pause. */
  pause(id: string, paused: boolean): Webhook
  /** Advances all webhooks to the newest event, as after a pause of each. */
  skip(): void
  remove(id: string): void
  /** Returns the newest outcomes, newest first. */
  outcomes(id: string): readonly Outcome[]
  /** Records the outcome of an event, and advances unless the event will be retried. Has no effect if the webhook has changed. */
  note(before: Webhook, outcome: Outcome): void
  /** Advances without an outcome, because none of the events up to this one is sent. */
  pass(before: Webhook, cursor: number): void
  /** Retries the waiting event immediately. */
  hurry(id: string): void
}

const columns = 'id, name, url, kinds, paused, cursor, trying, attempts, due_at AS dueAt, created_at AS createdAt'
/** The most webhooks, because each can have a delivery in progress. */
const most = 50

export function webhookStore({ sql, transaction }: FleetDatabase, events: EventLog, now: () => Date = () => new Date()): Webhooks {
  const outcomes: Outcomes = outcomesOf(sql)
  const of = (row: unknown): Webhook => {
    const { kinds, paused, ...rest } = row as Omit<Webhook, 'kinds' | 'paused'> & { readonly kinds: string; readonly paused: number }
    return { ...rest, kinds: JSON.parse(kinds) as readonly EventKind[], paused: Number(paused) === 1 }
  }
  const find = (nameOrId: string): Webhook => {
    const row =
      sql(`SELECT ${columns} FROM webhooks WHERE id = ?`).get(nameOrId) ??
      sql(`SELECT ${columns} FROM webhooks WHERE name = ?`).get(nameOrId)
    if (row === undefined) throw new PaddockError('NOT_FOUND', `There is no webhook ${nameOrId}.`, { hint: 'Run: paddock webhook list' })
    return of(row)
  }
  const tell = (kind: EventKind, { id, name }: Webhook): void => events.add({ kind, data: { id, name } })
  return {
    create({ name, url, kinds, secret: given }) {
      const [id, secret] = [newId('webhook'), given ?? randomBytes(32).toString('base64url')]
      return transaction(() => {
        if (sql('SELECT 1 FROM webhooks WHERE name = ?').get(name) !== undefined)
          throw new PaddockError('CONFLICT', `There is a webhook named ${name} already.`, { hint: `Run: paddock webhook remove ${name}` })
        if (Number(sql('SELECT count(*) AS count FROM webhooks').get()?.['count']) >= most)
          throw new PaddockError('CONFLICT', `There are ${most} webhooks, which is the maximum.`, { hint: 'Remove one' })
        sql('INSERT INTO webhooks (id, name, url, kinds, secret, cursor, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
          ...[id, name, url, JSON.stringify(kinds), secret, events.last, now().toISOString()],
        )
        const webhook = find(id)
        tell('webhook.created', webhook)
        return { webhook, secret }
      })
    },
    find,
    secret: (id) => (sql('SELECT secret FROM webhooks WHERE id = ?').get(id)?.['secret'] as string | undefined) ?? null,
    list: () => sql(`SELECT ${columns} FROM webhooks ORDER BY name`).all().map(of),
    active: () => sql(`SELECT ${columns} FROM webhooks WHERE paused = 0`).all().map(of),
    pause(id, paused) {
      return transaction(() => {
        const { changes } = sql(
          'UPDATE webhooks SET paused = ?1, cursor = ?2, trying = NULL, attempts = 0, due_at = NULL WHERE id = ?3 AND paused <> ?1',
        ).run(paused ? 1 : 0, events.last, id)
        const found = find(id)
        if (changes > 0) {
          outcomes.giveUp(id)
          tell(paused ? 'webhook.paused' : 'webhook.resumed', found)
        }
        return found
      })
    },
    skip() {
      transaction(() => {
        sql('UPDATE webhooks SET cursor = ?, trying = NULL, attempts = 0, due_at = NULL').run(events.last)
        for (const { id } of sql('SELECT id FROM webhooks').all()) outcomes.giveUp(String(id))
      })
    },
    remove(id) {
      transaction(() => {
        const found = find(id)
        sql('DELETE FROM webhooks WHERE id = ?').run(id)
        tell('webhook.deleted', found)
      })
    },
    outcomes: outcomes.newest,
    note({ id, cursor }, outcome) {
      const again = outcome.state === 'waiting'
      transaction(() => {
        const { changes } = sql(
          'UPDATE webhooks SET cursor = ?, trying = ?, attempts = ?, due_at = ? WHERE id = ? AND cursor = ? AND paused = 0',
        ).run(
          ...[again ? cursor : outcome.event, again ? outcome.event : null, again ? outcome.attempts : 0],
          ...[outcome.nextAt === null ? null : Date.parse(outcome.nextAt), id, cursor],
        )
        if (changes === 0) return
        // The retention of events deleted the waiting event.
        if (outcome.state === 'skipped') outcomes.giveUp(id)
        outcomes.put(id, outcome)
      })
    },
    pass({ id, cursor: from }, cursor) {
      transaction(() => void sql('UPDATE webhooks SET cursor = ? WHERE id = ? AND cursor = ?').run(cursor, id, from))
    },
    hurry: (id) => void sql('UPDATE webhooks SET due_at = NULL WHERE id = ?').run(id),
  }
}
