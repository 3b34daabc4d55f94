import { timingSafeEqual } from 'node:crypto'
import type { SessionStore } from '../../fleet/store/session-store.ts'
import type { Role, Token } from '../../fleet/store/token-store.ts'
import { hashOf, newSecret } from './one-time.ts'
import type { Site } from './sites.ts'
import { type Clock, deadline } from './steady-clock.ts'

export const sessionMs = 12 * 60 * 60_000
/** The header for the half of a session that is not sent to any other server on this machine. */
export const halfHeader = 'x-paddock-session'
const most = 1_000

export interface Session {
  readonly id: string
  readonly role: Role
  /** Whose session it is: the name of its login link or of its token; null if nobody named it. */
  readonly name: string | null
  /** The id of the token that started the session, which is invalid without that token. Null for a login link. */
  readonly token: string | null
}

/** Browser sessions. Each has two secrets that are worthless without each other. */
export interface Sessions {
  /** Starts a session that lasts twelve hours, or until its token expires if that is sooner. */
  start(
    of: Pick<Session, 'role' | 'name'>,
    token?: Pick<Token, 'id' | 'expiresAt'>,
  ): { readonly session: Session; readonly cookie: string; readonly half: string; readonly expiresAt: string }
  /** Returns the session of two secrets; null if one of them is wrong, or if the session has ended. */
  check(cookie: string, half: string): Session | null
  /** Returns whether a session is still open. */
  isOpen(id: string): boolean
  end(id: string): void
  /** Returns the sessions that were started with a token. */
  ofToken(token: string): readonly string[]
}

/**
 * Returns the name of the cookie. Cookies ignore ports, so servers on one machine need different names; with TLS, the prefix keeps other
 * servers from setting it.
 */
export function cookieName(site: Site): string {
  return site.secure ? '__Host-paddock-session' : `paddock-session-${site.host.split(':').at(-1)}`
}

/** Sessions that outlive the server if there is a store. Only hashes of their secrets are stored. */
export class KeptSessions implements Sessions {
  readonly #clock: Clock
  readonly #byId = new Map<string, { readonly session: Session; readonly half: Buffer; readonly passed: () => boolean }>()

  readonly #store: SessionStore | null

  constructor(clock: Clock, store: SessionStore | null = null) {
    this.#clock = clock
    this.#store = store
    for (const { id, half, role, name, expiresAt, token } of store?.all() ?? []) {
      // Even if the wall clock was set back, a session does not last longer than the limit.
      const left = Math.min(sessionMs, expiresAt - clock.wall())
      if (left <= 0) store?.remove(id)
      else this.#byId.set(id, { session: { id, role, name, token }, half: Buffer.from(half), passed: deadline(clock, left) })
    }
  }

  start({ role, name }: Pick<Session, 'role' | 'name'>, token?: Pick<Token, 'id' | 'expiresAt'>): ReturnType<Sessions['start']> {
    const cookie = newSecret()
    const half = newSecret()
    // The id is the hash of the cookie: it finds the session, but does not reveal the cookie.
    const session = { id: hashOf(cookie), role, name, token: token?.id ?? null }
    const left = token?.expiresAt == null ? sessionMs : Math.min(sessionMs, Date.parse(token.expiresAt) - this.#clock.wall())
    const expiresAt = this.#clock.wall() + left
    this.#store?.add({ ...session, half: hashOf(half), expiresAt })
    this.#byId.set(session.id, { session, half: Buffer.from(hashOf(half)), passed: deadline(this.#clock, left) })
    for (const [id, { passed }] of this.#byId) {
      if (this.#byId.size <= most && !passed()) break
      this.end(id)
    }
    return { session, cookie, half, expiresAt: new Date(expiresAt).toISOString() }
  }

  check(cookie: string, half: string): Session | null {
    const found = this.#open(hashOf(cookie))
    return found !== null && timingSafeEqual(found.half, Buffer.from(hashOf(half))) ? found.session : null
  }

  isOpen(id: string): boolean {
    return this.#open(id) !== null
  }

  end(id: string): void {
    this.#store?.remove(id)
    this.#byId.delete(id)
  }

  ofToken(token: string): readonly string[] {
    return [...this.#byId.values()].flatMap(({ session }) => (session.token === token ? [session.id] : []))
  }

  #open(id: string): { readonly session: Session; readonly half: Buffer } | null {
    const found = this.#byId.get(id)
    if (found === undefined) return null
    if (!found.passed()) return found
    this.end(id)
    return null
  }
}
