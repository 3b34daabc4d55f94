import { timingSafeEqual } from 'node:crypto'
import type { SessionStore } from '../../fleet/store/sessions.ts'
import type { Role, Token } from '../../fleet/store/tokens.ts'
import { type Clock, deadline } from './clock.ts'
import { hashOf, newSecret } from './one-time.ts'
import type { Site } from './sites.ts'

export const sessionMs = 12 * 60 * 60_000
/** The header with the half that no other server on this machine is sent. */
export const halfHeader = 'x-paddock-session'
const most = 1_000

export interface Session {
  readonly id: string
  readonly role: Role
  /** The id of the token that it was begun with, without which it is worth nothing. Null for a login link. */
  readonly token: string | null
}

/** Sessions of browsers. Each has two secrets; one is worthless without the other. */
export interface Sessions {
  /** Begins one that lasts twelve hours, or for as long as its token if that is shorter. */
  start(
    role: Role,
    token?: Pick<Token, 'id' | 'expiresAt'>,
  ): { readonly session: Session; readonly cookie: string; readonly half: string; readonly expiresAt: string }
  /** Returns null if one of the two is wrong, or the session is over. */
  check(cookie: string, half: string): Session | null
  /** Tells whether a session goes on. */
  isOpen(id: string): boolean
  end(id: string): void
  /** Returns the sessions that were begun with a token. */
  ofToken(token: string): readonly string[]
}

/**
 * Returns the name of the cookie. Cookies ignore ports, so servers on one machine need different names; with TLS, the prefix keeps other
 * servers from setting it.
 */
export function cookieName(site: Site): string {
  return site.secure ? '__Host-paddock-session' : `paddock-session-${site.host.split(':').at(-1)}`
}

/** Sessions that outlive the server, if they are given a store. Only hashes of their secrets are held. */
export class KeptSessions implements Sessions {
  readonly #clock: Clock
  readonly #byId = new Map<string, { readonly session: Session; readonly half: Buffer; readonly passed: () => boolean }>()

  readonly #store: SessionStore | null

  constructor(clock: Clock, store: SessionStore | null = null) {
    this.#clock = clock
    this.#store = store
    for (const { id, half, role, expiresAt, token } of store?.all() ?? []) {
      // A wall clock that was set back does not make it last longer than any.
      const left = Math.min(sessionMs, expiresAt - clock.wall())
      if (left <= 0) store?.remove(id)
      else this.#byId.set(id, { session: { id, role, token }, half: Buffer.from(half), passed: deadline(clock, left) })
    }
  }

  start(role: Role, token?: Pick<Token, 'id' | 'expiresAt'>): ReturnType<Sessions['start']> {
    const cookie = newSecret()
    const half = newSecret()
    // The hash of the cookie is the id: it finds the session, and nobody gets from it to the cookie.
    const session = { id: hashOf(cookie), role, token: token?.id ?? null }
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
