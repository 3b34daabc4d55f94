import type { SessionStore } from '../../fleet/store/session-store.ts'
import type { Tokens } from '../../fleet/store/token-store.ts'
import type { Credentials } from './identify.ts'
import { LoginLinks } from './open-login-links.ts'
import { OpenStreams } from './open-streams.ts'
import { KeptSessions } from './page-sessions.ts'
import { type Clock, systemClock } from './steady-clock.ts'
import { Tickets } from './tickets.ts'
import { Tries } from './tries.ts'

/** The state that determines access, and the streams that callers have open. */
export interface Entry extends Credentials {
  /** Wrong passphrases of the vault. */
  readonly tries: Tries
  readonly loginLinks: LoginLinks
  readonly streams: OpenStreams
}

/** The access state of a server that also creates tokens. */
export interface Access extends Entry {
  readonly tokens: Tokens
}

export function openAccess(tokens: Tokens, sessions: SessionStore | null, clock: Clock = systemClock): Access {
  return { ...openEntry(tokens, sessions, clock), tokens }
}

export function openEntry(tokens: Entry['tokens'], sessions: SessionStore | null, clock: Clock = systemClock): Entry {
  return {
    tokens,
    sessions: new KeptSessions(clock, sessions),
    tickets: new Tickets(clock),
    tries: new Tries(clock),
    loginLinks: new LoginLinks(clock),
    streams: new OpenStreams(),
  }
}
