import type { Secret } from '../../secrets/secret.ts'

/** A place in a request for a credential. Placeholders are never swapped anywhere else, and never in a body. */
export type CredentialPlace =
  /** The whole value of a header, after its scheme (such as `Bearer`) if there is one. */
  | { readonly kind: 'header'; readonly name: string; readonly scheme?: string }
  /** A part of Basic authentication (RFC 7617). */
  | { readonly kind: 'basic'; readonly part: 'user' | 'password' }
  /** The whole value of a query parameter. */
  | { readonly kind: 'query'; readonly name: string }

/** A host that a credential may be sent to. */
export interface CredentialHost {
  /** An exact name, or `*.name` for its subdomains. */
  readonly host: string
  readonly port: number
  /** False only if the user named an endpoint that speaks plain HTTP. */
  readonly tls: boolean
  /**
   * Patterns of the paths for which the credential is used, in the syntax of rules. They exclude APIs that issue further credentials in
   * exchange for it.
   */
  readonly paths: readonly string[]
  /** Upper-case methods for which the credential is used. If absent, all methods. */
  readonly methods?: readonly string[]
  /** Query parameters that must be present, once or several times, with exactly this value. */
  readonly query?: Readonly<Record<string, string>>
  /** Requests for which the credential is never used. They match like a deny rule: one possible reading of the request is enough. */
  readonly except?: readonly RequestShape[]
}

/** A set of requests, given by method and path. */
export interface RequestShape {
  /** Upper-case methods. Empty means every method. */
  readonly methods: readonly string[]
  /** A pattern of the path, in the syntax of rules. */
  readonly path: string
}

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
