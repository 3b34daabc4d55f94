import type * as z from 'zod'
import type { Frozen } from '../../base/frozen.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { credentialHostSchema, credentialPlaceSchema } from './credential-schema.ts'

/** A place in a request for a credential. Placeholders are never swapped anywhere else, and never in a body. */
export type CredentialPlace = Frozen<z.output<typeof credentialPlaceSchema>>

/**
 * A host that a credential may be sent to. Its paths exclude APIs that issue further credentials in exchange for it. Requests of `except`
 * match like a deny rule.
 */
export type CredentialHost = Frozen<z.output<typeof credentialHostSchema>>

/** A credential of the host as one cell may use it: the placeholders in the cell, and the places where the gateway swaps them. */
export interface CellCredential {
  /** The name of a variable, a login or a vault entry, for the audit log and for messages. */
  readonly name: string
  readonly hosts: readonly CredentialHost[]
  readonly places: readonly CredentialPlace[]
  /**
   * If true, a request to one of the hosts for which the credential is not used is forwarded without the header with the placeholder,
   * like a request without a credential. Otherwise the request is forwarded unchanged.
   */
  readonly droppedElsewhere?: true
  /** Returns all placeholders of this credential in the cell. Their number may grow while the cell runs. */
  readonly placeholders: () => readonly string[]
  /** Returns the current real credential. Called for each use. Rejects with a PaddockError if the credential is not available. */
  readonly secret: (signal: AbortSignal) => Promise<Secret>
  /** Called if the host answered this credential with 401. */
  readonly rejected?: (secret: Secret) => void
  /**
   * If true, requests to the hosts may contain no other credential, in its places or anywhere else where APIs look for one, so that a
   * cell cannot send data to another account.
   */
  readonly exclusive?: boolean
  /** The endpoint at which the gateway answers the cell's own attempts to renew the credential. They are never forwarded to the host. */
  readonly renewal?: TokenEndpoint
}

/** A token endpoint (RFC 6749, section 3.2) that the gateway answers itself. */
export interface TokenEndpoint {
  readonly host: string
  /** Patterns of the endpoint's paths. */
  readonly paths: readonly string[]
  /** Returns the answer to one request with this body of at most 64 KiB. */
  answer(body: string): TokenAnswer | Promise<TokenAnswer>
}

export interface TokenAnswer {
  readonly status: number
  readonly json: unknown
}
