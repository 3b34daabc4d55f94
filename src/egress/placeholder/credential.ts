import type { Secret } from '../../secrets/secret.ts'

/** Where in a request a credential belongs. A placeholder is never swapped anywhere else, and never in a body. */
export type CredentialPlace =
  /** The whole value of a header, behind its scheme if it has one: `Bearer`. */
  | { readonly kind: 'header'; readonly name: string; readonly scheme?: string }
  /** A part of Basic authentication (RFC 7617). */
  | { readonly kind: 'basic'; readonly part: 'user' | 'password' }
  /** The whole value of a query parameter. */
  | { readonly kind: 'query'; readonly name: string }

/** A host that a credential may be sent to. */
export interface CredentialHost {
  /** Exact name, or `*.name` for what is below one. */
  readonly host: string
  readonly port: number
  /** False only if the user named an endpoint that speaks plain HTTP. */
  readonly tls: boolean
  /**
   * Patterns of the paths that it is used on, in the form of rules. An API that hands out further credentials for this one is not
   * among them.
   */
  readonly paths: readonly string[]
  /** Upper-case methods that it is used with; absent: every one. */
  readonly methods?: readonly string[]
  /** Parameters of the query that must be there, once or more, with this very value. */
  readonly query?: Readonly<Record<string, string>>
  /** Requests among these that it is never used for. Read like a rule that denies: whatever could be taken for one of them is one. */
  readonly except?: readonly RequestShape[]
}

/** Requests by method and path. */
export interface RequestShape {
  /** Upper-case; empty stands for every method. */
  readonly methods: readonly string[]
  /** A pattern of the path, in the form of rules. */
  readonly path: string
}

/** One credential of the host, as far as one cell goes: what the cell holds in its place, and where the gateway swaps it. */
export interface CellCredential {
  /** For the audit log and for people: the name of a variable, a login, an entry of the vault. */
  readonly name: string
  readonly hosts: readonly CredentialHost[]
  readonly places: readonly CredentialPlace[]
  /**
   * True: a request to one of its hosts that it is not used for goes on without the header that holds the placeholder, like a request without
   * a credential. Otherwise it goes on as it came.
   */
  readonly droppedElsewhere?: true
  /** Everything that the cell holds in place of it. May grow while the cell lives. */
  readonly placeholders: () => readonly string[]
  /** Returns the real one as it is now. Called at each use. Rejects with a PaddockError if it is not available. */
  readonly secret: (signal: AbortSignal) => Promise<Secret>
  /** The host answered 401 to this one. */
  readonly rejected?: (secret: Secret) => void
  /**
   * True: at its hosts no other credential may be in its places, or where else APIs look for one, so that nobody carries anything into an
   * account of their own.
   */
  readonly exclusive?: boolean
  /** Where the cell's own attempt to renew it is answered, without a word to the host. */
  readonly renewal?: TokenEndpoint
}

/** A token endpoint (RFC 6749, section 3.2) that the gateway stands for. */
export interface TokenEndpoint {
  readonly host: string
  /** Patterns of its paths. */
  readonly paths: readonly string[]
  /** Answers one request by its body, which is at most 64 KiB. */
  answer(body: string): { readonly status: number; readonly json: unknown }
}
