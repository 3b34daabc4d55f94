import { createHash, randomBytes } from 'node:crypto'
import { PaddockError } from '../../base/errors.ts'
import { newId } from '../ids.ts'
import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'

/** `owner` may do everything, `operator` works with agents and jobs, `viewer` reads, `borrower` does only what a lease allows. */
export const roles = ['owner', 'operator', 'viewer', 'borrower'] as const
export type Role = (typeof roles)[number]

/** A right to use the API, without its secret. Times are ISO 8601. */
export interface Token {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** The time of the last use, accurate to the minute. */
  readonly lastUsedAt: string | null
  /** The id of the lease that the token was created for, or null. */
  readonly lease: string | null
}

export interface Tokens {
  /**
   * Creates a token. The secret is 256 random bits; only its hash is stored.
   * @throws PaddockError CONFLICT if a token with this name is in use
   */
  create(wish: { readonly name: string; readonly role: Role; readonly expiresAt: string | null }): {
    readonly token: Token
    readonly secret: string
  }
  /** Returns the token for a secret, or null if the token is unknown, expired or revoked. */
  check(secret: string): Token | null
  get(id: string): Token | null
  list(): readonly Token[]
  /**
   * Revokes a token, and the lease that it was created for.
   * @throws PaddockError NOT_FOUND
   */
  revoke(nameOrId: string): Token
}

const columns = `id, name, role, created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt,
  (SELECT leases.id FROM leases WHERE token_id = tokens.id) AS lease`
const secretPattern = /^pdk_[A-Za-z0-9_-]{43}$/

export function tokenStore({ sql, transaction }: FleetDatabase, events: EventLog, now: () => Date = () => new Date()): Tokens {
  const byId = (id: string): Token | null =>
    (sql(`SELECT ${columns} FROM tokens WHERE id = ?`).get(id) as unknown as Token | undefined) ?? null
  return {
    create({ name, role, expiresAt }) {
      const [id, secret] = [newId('token'), `pdk_${randomBytes(32).toString('base64url')}`]
      transaction(() => {
        if (sql('SELECT 1 FROM tokens WHERE name = ? AND revoked_at IS NULL').get(name) !== undefined)
          throw new PaddockError('CONFLICT', `There is a token named ${name} already.`, { hint: `Run: paddock token revoke ${name}` })
        sql('INSERT INTO tokens (id, name, role, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)').run(
          id,
          name,
          role,
          hashOf(secret),
          now().toISOString(),
          expiresAt,
        )
        events.add({ kind: 'token.created', data: { id, name, role } })
      })
      return { token: byId(id) as Token, secret }
    },
    check(secret) {
      if (!secretPattern.test(secret)) return null
      // The look-up is by hash, so its duration reveals nothing about a secret of 256 random bits.
      const found = sql(`SELECT ${columns} FROM tokens WHERE hash = ?`).get(hashOf(secret)) as unknown as Token | undefined
      const at = now().toISOString()
      if (found === undefined || found.revokedAt !== null || (found.expiresAt !== null && found.expiresAt <= at)) return null
      if ((found.lastUsedAt ?? '').slice(0, 16) !== at.slice(0, 16))
        sql('UPDATE tokens SET last_used_at = ? WHERE id = ?').run(at, found.id)
      return found
    },
    get: byId,
    list: () => sql(`SELECT ${columns} FROM tokens ORDER BY id`).all() as unknown as Token[],
    revoke(nameOrId) {
      return transaction(() => {
        const found = sql(`SELECT ${columns} FROM tokens WHERE revoked_at IS NULL AND (name = ?1 OR id = ?1)`).get(nameOrId) as unknown as
          | Token
          | undefined
        if (found === undefined)
          throw new PaddockError('NOT_FOUND', `There is no token named ${nameOrId}.`, { hint: 'Run: paddock token list' })
        const at = now().toISOString()
        sql('UPDATE tokens SET revoked_at = ? WHERE id = ?').run(at, found.id)
        sql('UPDATE leases SET revoked_at = ? WHERE token_id = ? AND revoked_at IS NULL AND ended_at IS NULL').run(at, found.id)
        events.add({ kind: 'token.revoked', data: { id: found.id, name: found.name } })
        return byId(found.id) as Token
      })
    },
  }
}

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
