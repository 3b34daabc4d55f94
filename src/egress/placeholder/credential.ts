import type { Secret } from '../../secrets/secret.ts'

/** A place in a request for a credential. A placeholder is never swapped anywhere else, and never in a body. */
export type CredentialPlace =
  /** The whole value of a header, after its scheme if it has one: `Bearer`. */
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
   * Patterns of the paths for which it is used, in the syntax of rules. They exclude APIs that issue further credentials in exchange for
   * this one.
   */
  readonly paths: readonly string[]
  /** Upper-case methods for which it is used. If absent, all methods. */
  readonly methods?: readonly string[]
  /** Query parameters that must be present, once or more, with exactly this value. */
  readonly query?: Readonly<Record<string, string>>
  /** Exceptions for which it is never used. They match like a deny rule: one possible reading of the request is enough. */
  readonly except?: readonly RequestShape[]
}

/** Requests by method and path. */
export interface RequestShape {
  /** In upper case. Empty means every method. */
  readonly methods: readonly string[]
  /** A pattern of the path, in the syntax of rules. */
  readonly path: string
}

/** A credential of the host as one cell may use it: the placeholders that the cell has, and where the gateway swaps them. */
export interface CellCredential {
  /** For the audit log and for people: the name of a variable, a login or an entry of the vault. */
  readonly name: string
  readonly hosts: readonly CredentialHost[]
  readonly places: readonly CredentialPlace[]
  /**
   * If true, a request to one of its hosts for which it is not used is forwarded without the header that contains the placeholder, like a
   * request without a credential. Otherwise the request is forwarded unchanged.
   */
  readonly droppedElsewhere?: true
  /** Returns every placeholder of this credential in the cell. Their number may grow while the cell runs. */
  readonly placeholders: () => readonly string[]
  /** Returns the current real credential. Called at each use. Rejects with a PaddockError if it is not available. */
  readonly secret: (signal: AbortSignal) => Promise<Secret>
  /** Called if the host answered this credential with 401. */
  readonly rejected?: (secret: Secret) => void
  /**
   * If true, requests to its hosts may contain no other credential, in its places or anywhere else where APIs look for one, so that a
   * cell cannot send data to another account.
   */
  readonly exclusive?: boolean
  /** The endpoint where the gateway answers the cell's own attempts to renew it, without contacting the host. */
  readonly renewal?: TokenEndpoint
}

/** A token endpoint (RFC 6749, section 3.2) that the gateway answers itself. */
export interface TokenEndpoint {
  readonly host: string
  /** Patterns of its paths. */
  readonly paths: readonly string[]
  /** Answers one request, given its body of at most 64 KiB. */
  answer(body: string): { readonly status: number; readonly json: unknown }
}
