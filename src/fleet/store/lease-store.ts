import { PaddockError } from '../../base/errors.ts'
import type { Budget } from '../../config/budget.ts'
import type { Spent } from '../budgets/budget-spent.ts'
import { newId } from '../ids.ts'
import type { Topics } from '../leases/topics.ts'
import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'
import type { Tokens } from './token-store.ts'
import { spentBy, type Used } from './usage-store.ts'

/** The terms of a lease. Times are ISO 8601. */
export interface LeaseTerms {
  readonly name: string
  /** The id of the agent. */
  readonly agent: string
  readonly expiresAt: string
  /** The budget for all jobs of the lease together; no budget if absent. */
  readonly budget?: Budget
  /** The tools that a model may use; all of its tools if absent. */
  readonly tools?: readonly string[]
  /** The topics that the borrower's texts may have. */
  readonly topics?: Topics
  /** `type`: the borrower may open a terminal and type. Absent: the borrower may only watch terminals that the owner opens in the lease. */
  readonly terminal?: 'type'
}

export interface Lease extends LeaseTerms {
  readonly id: string
  /** The id of the borrower's token. */
  readonly token: string
  readonly createdAt: string
  readonly revokedAt: string | null
  /** The time when the lease's jobs were ended; null if the lease is active or is just being ended. */
  readonly endedAt: string | null
  /** The use of the lease's ended jobs. */
  readonly spent: Spent
}

export interface Leases {
  /**
   * Creates a lease and the borrower's token, whose secret is not stored.
   * @throws PaddockError CONFLICT if the name is taken
   */
  create(terms: LeaseTerms): { readonly lease: Lease; readonly secret: string }
  get(id: string): Lease | null
  /**
   * Returns the lease with this id, or the newest lease with this name.
   * @throws PaddockError NOT_FOUND
   */
  find(nameOrId: string): Lease
  /** Returns active leases first, then ended ones, newest first in each group. */
  list(): readonly Lease[]
  /** Revokes a lease and its token. */
  revoke(id: string): Lease
  /** Returns the leases that are revoked or expired but have not been ended. */
  due(now: Date): readonly Lease[]
  /** Returns when the next lease expires, in milliseconds since the epoch, or null. */
  nextEnd(): number | null
  /** Records that the jobs of a lease are ended. */
  end(id: string): void
  /** Adds the use of a job within the transaction of the job's end. */
  add(id: string, used: Used): void
}

const columns = `id, name, agent_id AS agent, terms, token_id AS token, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt,
  ended_at AS endedAt, turns, tokens, usd, time`
/** The most active leases, and the most leases in one list. */
const most = 200

export function leaseStore(
  { sql, transaction }: FleetDatabase,
  events: EventLog,
  tokens: Pick<Tokens, 'create' | 'get' | 'revoke'>,
  now: () => Date = () => new Date(),
): Leases {
  const get = (id: string): Lease | null => leaseOf(sql(`SELECT ${columns} FROM leases WHERE id = ?`).get(id))
  const tell = (kind: 'created' | 'revoked' | 'ended', { id, name, agent }: Lease): void =>
    events.add({ kind: `lease.${kind}`, agent, data: { id, name } })
  const closeToken = (token: string): void => {
    if (tokens.get(token)?.revokedAt === null) tokens.revoke(token)
  }
  return {
    create(terms) {
      return transaction(() => {
        const { name, agent, expiresAt, ...more } = terms
        if (sql('SELECT 1 FROM leases WHERE name = ? AND ended_at IS NULL').get(name) !== undefined)
          throw new PaddockError('CONFLICT', `There is a lease named ${name} already.`, { hint: `Run: paddock lease revoke ${name}` })
        if (Number(sql('SELECT count(*) AS count FROM leases WHERE ended_at IS NULL').get()?.['count']) >= most)
          throw new PaddockError('CONFLICT', `There are ${most} leases, which is the maximum.`, { hint: 'Revoke one' })
        const id = newId('lease')
        const { token, secret } = tokens.create({ name: `lease-${name}`, role: 'borrower', expiresAt })
        sql('INSERT INTO leases (id, name, agent_id, terms, token_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
          ...[id, name, agent, JSON.stringify(more), token.id, now().toISOString(), expiresAt],
        )
        const lease = get(id) as Lease
        tell('created', lease)
        return { lease, secret }
      })
    },
    get,
    find(nameOrId) {
      const found =
        get(nameOrId) ?? leaseOf(sql(`SELECT ${columns} FROM leases WHERE name = ? ORDER BY created_at DESC, id LIMIT 1`).get(nameOrId))
      if (found !== null) return found
      throw new PaddockError('NOT_FOUND', `There is no lease ${nameOrId}.`, { hint: 'Run: paddock lease list' })
    },
    list: () =>
      sql(`SELECT ${columns} FROM leases ORDER BY ended_at IS NOT NULL, created_at DESC, id LIMIT ${most}`)
        .all()
        .map((row) => leaseOf(row) as Lease),
    revoke(id) {
      return transaction(() => {
        const lease = get(id) as Lease
        if (lease.revokedAt !== null || lease.endedAt !== null) return lease
        // The token store records this in the lease: revoking the token revokes the lease.
        closeToken(lease.token)
        tell('revoked', lease)
        return get(id) as Lease
      })
    },
    due: (time) =>
      sql(`SELECT ${columns} FROM leases WHERE ended_at IS NULL AND (revoked_at IS NOT NULL OR expires_at <= ?)`)
        .all(time.toISOString())
        .map((row) => leaseOf(row) as Lease),
    nextEnd() {
      const row = sql('SELECT min(expires_at) AS next FROM leases WHERE ended_at IS NULL').get()
      return row?.['next'] == null ? null : Date.parse(String(row['next']))
    },
    end(id) {
      transaction(() => {
        const { changes } = sql('UPDATE leases SET ended_at = ? WHERE id = ? AND ended_at IS NULL').run(now().toISOString(), id)
        if (changes === 0) return
        const lease = get(id) as Lease
        // This frees the token's name.
        closeToken(lease.token)
        tell('ended', lease)
      })
    },
    add(id, used) {
      const { turns, tokens: count, usd, time } = spentBy(used)
      sql('UPDATE leases SET turns = turns + ?, tokens = tokens + ?, usd = usd + ?, time = time + ? WHERE id = ?').run(
        ...[turns, count, usd, time, id],
      )
    },
  }
}

function leaseOf(row: Record<string, unknown> | undefined): Lease | null {
  if (row === undefined) return null
  const { terms, turns, tokens, usd, time, ...rest } = row
  return { ...rest, ...(JSON.parse(String(terms)) as object), spent: { turns, tokens, usd, time } } as unknown as Lease
}
