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
  /** The id of the lease that lets a borrower in; null: none. */
  readonly lease: string | null
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

/** Returns the lease of a borrower, who sees nothing else; null: the caller is not one. */
export function leaseOf({ role, lease }: Caller): string | null {
  if (role !== 'borrower') return null
  // The guard lets none in without one.
  if (lease === null) throw new Refusal('FORBIDDEN', 'This credential has no lease.')
  return lease
}

/** Returns who sent a request to a route that is not public. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Refusal('UNAUTHENTICATED', 'This requires a credential.')
  return request.caller
}
