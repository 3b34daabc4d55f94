/** The summary of a cell's network use, in its JSON form. */
export interface EgressSummary {
  readonly mode: 'off' | 'allowlist' | 'public' | 'open'
  /** Number of allowed connections. */
  readonly connections: number
  readonly bytesOut: number
  readonly bytesIn: number
  /** The destinations that were reached, each with the bytes in both directions. At most 1,000 are kept. */
  readonly reached: readonly ReachedDestination[]
  /** Refusals, each with its reason and a count. `port` is null for a name in a DNS query. At most 1,000 are kept. */
  readonly denied: readonly { readonly host: string; readonly port: number | null; readonly reason: string; readonly count: number }[]
  /** Number of refusals of destinations that are not in `denied`. Absent if there were none. */
  readonly deniedMore?: number
  /** Placeholders that the cell sent to places where they have no value. Absent if there were none. */
  readonly astray?: readonly Astray[]
  /** Traffic that bypassed the gateway under `public` and `open`. Absent in the other modes, or if the kernel did not report it. */
  readonly network?: CellTraffic
  /** Numbers of requests to inspected hosts. Absent if no such requests were made. */
  readonly requests?: { readonly allowed: number; readonly denied: number }
  /**
   * Calls of the model APIs for which the cell has credentials: the number of answered ones, and those that failed after the last answer,
   * oldest first, at most 10. Absent if there were none, and for hosts that are not inspected.
   */
  readonly models?: { readonly answered: number; readonly failed: readonly FailedModelCall[] }
}

/** Consecutive calls of one model API that failed in the same way. Times are in milliseconds since the epoch. */
export interface FailedModelCall {
  readonly host: string
  /**
   * `cut`: the answer ended early. `unanswered`: the client waited, and left or was ended before an answer started. `not-renewed`
   * and `no-credential`: the host was never contacted, because the gateway had no usable credential.
   */
  readonly kind: 'refused' | 'cut' | 'unanswered' | 'unreachable' | 'unresolvable' | 'not-renewed' | 'no-credential'
  /** The HTTP status of a refusal. */
  readonly status: number | null
  /** The reason for `not-renewed` and `no-credential`, in one sentence. */
  readonly why?: string
  /** The end of the rate limit, according to the headers of the newest answer. */
  readonly resetsAt: number | null
  /** Milliseconds from the request to the end of the newest call. */
  readonly waitedMs: number
  /** The time of the newest call. */
  readonly at: number
  readonly count: number
}

/** Traffic on a cell's own network interface, in bytes of packets, including their headers. */
export interface CellTraffic {
  readonly bytesOut: number
  readonly bytesIn: number
}

/** A placeholder that was sent to a place where it has no value. */
export interface Astray {
  readonly credential: string
  readonly host: string
  readonly count: number
}

export interface ReachedDestination {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly bytesOut: number
  readonly bytesIn: number
}

/** The reason for a refusal, as reported in the summary and in the audit events. */
export type DenyReason =
  | 'not-allowed'
  | 'literal-address'
  | 'not-tls'
  | 'not-http'
  | 'no-sni'
  | 'sni-mismatch'
  | 'host-mismatch'
  | 'malformed'
  | 'unresolvable'
  | 'internal-address'
  | 'unreachable'
  | 'too-many'
  /** A rule denied a request to an inspected host, or the human who was asked did not allow it. */
  | 'rule'
  | 'not-approved'
  | 'bad-certificate'
  /** There is no usable credential for a request, so the user must act. */
  | 'no-credential'
  /** A login could not be renewed for a request. This may be temporary. */
  | 'not-renewed'
  /** The request contained a credential other than the cell's own. */
  | 'foreign-credential'
  | 'unreadable-answer'
