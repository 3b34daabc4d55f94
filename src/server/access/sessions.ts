import { timingSafeEqual } from 'node:crypto'
import type { SessionStore } from '../../fleet/store/sessions.ts'
import type { Role } from '../../fleet/store/tokens.ts'
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
}

/** Sessions of browsers. Each has two secrets; one is worthless without the other. */
export interface Sessions {
  /** Lasts twelve hours. */
  start(role: Role): { readonly session: Session; readonly cookie: string; readonly half: string; readonly expiresAt: string }
  /** Returns null if one of the two is wrong, or the session is over. */
  check(cookie: string, half: string): Session | null
  /** Tells whether a session goes on. */
  isOpen(id: string): boolean
  end(id: string): void
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
    for (const { id, half, role, expiresAt } of store?.all() ?? []) {
      // A wall clock that was set back does not make it last longer than any.
      const left = Math.min(sessionMs, expiresAt - clock.wall())
      if (left <= 0) store?.remove(id)
      else this.#byId.set(id, { session: { id, role }, half: Buffer.from(half), passed: deadline(clock, left) })
    }
  }

  start(role: Role): ReturnType<Sessions['start']> {
    const cookie = newSecret()
    const half = newSecret()
    // The hash of the cookie is the id: it finds the session, and nobody gets from it to the cookie.
    const session = { id: hashOf(cookie), role }
    const expiresAt = this.#clock.wall() + sessionMs
    this.#store?.add({ id: session.id, half: hashOf(half), role, expiresAt })
    this.#byId.set(session.id, { session, half: Buffer.from(hashOf(half)), passed: deadline(this.#clock, sessionMs) })
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

  #open(id: string): { readonly session: Session; readonly half: Buffer } | null {
    const found = this.#byId.get(id)
    if (found === undefined) return null
    if (!found.passed()) return found
    this.end(id)
    return null
  }
}
