import type { FastifyRequest } from 'fastify'
import type { Token, Tokens } from '../../fleet/store/token-store.ts'
import { arrivalOf } from '../arrival.ts'
import { Refusal } from '../problem.ts'
import type { Caller } from './caller.ts'
import { cookieName, halfHeader, type Session, type Sessions } from './page-sessions.ts'
import { type Tickets, ticketIn } from './tickets.ts'

/** The stores that credentials are checked against. */
export interface Credentials {
  readonly tokens: Pick<Tokens, 'check' | 'get'>
  readonly sessions: Sessions
  readonly tickets: Tickets
}

const socketCaller: Caller = { kind: 'socket', name: 'socket', role: 'owner', lease: null, credential: 'socket', account: 'socket' }

export function tokenCaller(token: Token): Caller {
  const credential = `token:${token.id}`
  return { kind: 'token', name: token.name, role: token.role, lease: token.lease, credential, account: credential }
}

export function sessionCaller(session: Session): Caller {
  const credential = `session:${session.id}`
  return {
    kind: 'session',
    name: `${session.name ?? session.role} (session ${session.id.slice(0, 8)})`,
    role: session.role,
    lease: null,
    credential,
    account: session.token === null ? credential : `token:${session.token}`,
  }
}

/**
 * Returns the sender of a request, identified by its bearer token, its ticket, or both halves of its session. They are checked in this
 * order, and if one is wrong, the next is not tried. Without any of them, the sender over the Unix socket is the owner. All refusals are
 * alike. The URL is ignored.
 */
export function identify(request: FastifyRequest, credentials: Credentials): Caller {
  const { tokens, sessions, tickets } = credentials
  const { authorization } = request.headers
  const known = (caller: Caller | null): Caller => {
    if (caller === null) throw unauthenticated()
    return caller
  }
  if (authorization !== undefined) {
    const secret = /^Bearer ([\w.~+/-]{1,512}=*)$/i.exec(authorization)?.[1]
    const token = secret === undefined ? null : tokens.check(secret)
    return known(token === null ? null : tokenCaller(token))
  }
  const ticket = request.ws ? ticketIn(request.headers['sec-websocket-protocol']) : null
  if (ticket !== null) {
    const caller = tickets.redeem(ticket)
    return known(caller !== null && isGood(caller, credentials) ? caller : null)
  }
  const cookie = request.site === null ? undefined : request.cookies[cookieName(request.site)]
  const half = request.headers[halfHeader]
  // A cookie without the other half identifies nobody. Every page on this machine sends it.
  if (cookie !== undefined && typeof half === 'string') {
    const session = sessions.check(cookie, half)
    return known(session === null || !isTokenGood(session.token, tokens) ? null : sessionCaller(session))
  }
  if (arrivalOf(request.raw.socket)?.over === 'unix') return socketCaller
  throw unauthenticated()
}

/** Returns whether the credential of a caller is still valid. Streams check this again while they are open. */
export function isGood(caller: Caller, { tokens, sessions }: Pick<Credentials, 'tokens' | 'sessions'>): boolean {
  const id = caller.credential.slice(caller.credential.indexOf(':') + 1)
  if (caller.kind === 'socket') return true
  return caller.kind === 'session' ? sessions.isOpen(id) : isTokenGood(id, tokens)
}

/** Returns whether a token may still be used. A null id means that no token is needed. */
function isTokenGood(id: string | null, tokens: Pick<Tokens, 'get'>): boolean {
  if (id === null) return true
  const token = tokens.get(id)
  return token !== null && token.revokedAt === null && (token.expiresAt === null || Date.parse(token.expiresAt) > Date.now())
}

function unauthenticated(): Refusal {
  return new Refusal('UNAUTHENTICATED', 'This requires a valid credential.', {
    hint: 'Send a token as Authorization: Bearer; make one with: paddock token create NAME --role ROLE',
    headers: { 'www-authenticate': 'Bearer' },
  })
}
