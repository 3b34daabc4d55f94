import type { FastifyRequest } from 'fastify'
import type { Role } from '../../fleet/store/tokens.ts'
import { Refusal } from '../problem.ts'
import type { Site } from './sites.ts'

/** Who sent a request, as the server knows it; nothing here is what a client claims. */
export interface Caller {
  readonly kind: 'socket' | 'token' | 'session'
  /** For the audit log: `socket`, or the name of the token or session. */
  readonly name: string
  readonly role: Role
  /** Names the credential; streams are closed by it. */
  readonly credential: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on public routes. */
    caller: Caller | null
    /** The name under which the server was reached; null over the Unix socket. */
    site: Site | null
  }
}

/** Returns who sent a request to a route that is not public. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Refusal('UNAUTHENTICATED', 'This requires a credential.')
  return request.caller
}
