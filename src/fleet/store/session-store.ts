import type { FleetDatabase } from './database.ts'
import type { Role } from './token-store.ts'

/** The record of a browser's session, with hashes of its two secrets (base64url). Times are milliseconds since the epoch. */
export interface KeptSession {
  readonly id: string
  readonly half: string
  readonly role: Role
  /** Whose session it is; null if nobody named it. */
  readonly name: string | null
  readonly expiresAt: number
  /** The id of the token that started the session; null for a login link. */
  readonly token: string | null
}

/** Stores sessions, which outlive a server. */
export interface SessionStore {
  all(): readonly KeptSession[]
  add(session: KeptSession): void
  remove(id: string): void
}

export function sessionStore({ sql }: FleetDatabase): SessionStore {
  return {
    all: () =>
      sql(
        'SELECT id, half, role, name, expires_at AS expiresAt, token FROM sessions ORDER BY expires_at',
      ).all() as unknown as KeptSession[],
    add: ({ id, half, role, name, expiresAt, token }) =>
      void sql('INSERT INTO sessions (id, half, role, name, expires_at, token) VALUES (?, ?, ?, ?, ?, ?)').run(
        id,
        half,
        role,
        name,
        expiresAt,
        token,
      ),
    remove: (id) => void sql('DELETE FROM sessions WHERE id = ?').run(id),
  }
}
