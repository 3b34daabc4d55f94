import type { FastifyRequest } from 'fastify'
import type { Role } from '../../fleet/store/token-store.ts'
import { Refusal } from '../problem.ts'
import type { Site } from './sites.ts'

/** The sender of a request as the server identified it. Nothing here relies on the client's claims. */
export interface Caller {
  readonly kind: 'socket' | 'token' | 'session'
  /** The name in the audit log: `socket`, or the name of the token or session. */
  readonly name: string
  readonly role: Role
  /** The id of the lease that gives a borrower access, or null. */
  readonly lease: string | null
  /** The name of the credential, which identifies the caller's streams when they have to be closed. */
  readonly credential: string
  /** The name under which the caller's use of the server counts. All sessions of a token count as that token. */
  readonly account: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender; null on public routes. */
    caller: Caller | null
    /** The site whose name the request used; null over the Unix socket. */
    site: Site | null
  }
}

/** Returns the lease of a borrower, who sees nothing outside it; null if the caller is not a borrower. */
export function leaseOf({ role, lease }: Caller): string | null {
  if (role !== 'borrower') return null
  // The guard refuses a borrower without a lease.
  if (lease === null) throw new Refusal('FORBIDDEN', 'This credential has no lease.')
  return lease
}

/** Returns the sender of a request to a route that is not public. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Refusal('UNAUTHENTICATED', 'This requires a credential.')
  return request.caller
}
