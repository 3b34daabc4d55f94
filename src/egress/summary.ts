/** The summary of a cell's network use, in the form of its JSON. */
export interface EgressSummary {
  readonly mode: 'off' | 'allowlist' | 'public' | 'open'
  /** Connections that were allowed. */
  readonly connections: number
  readonly bytesOut: number
  readonly bytesIn: number
  /** Destinations that were reached: `host:port`, with bytes both ways. At most 1,000 kept. */
  readonly reached: readonly ReachedDestination[]
  /** Refusals, with the reason and a count. `port` is null for a name in a DNS query. At most 1,000 kept. */
  readonly denied: readonly { readonly host: string; readonly port: number | null; readonly reason: string; readonly count: number }[]
  /** Refusals of further destinations, beyond those kept in `denied`. Absent if there were none. */
  readonly deniedMore?: number
  /** Placeholders that the cell sent to places where they have no value. Absent if there were none. */
  readonly astray?: readonly Astray[]
  /** Traffic that bypassed the gateway under `public` and `open`. Absent in the other modes, and if the kernel did not report it. */
  readonly network?: CellTraffic
  /** Requests to inspected hosts. Absent if none were made. */
  readonly requests?: { readonly allowed: number; readonly denied: number }
  /**
   * Calls of the model APIs that the cell has credentials for: how many were answered, and those that failed after the last answer, oldest
   * first, at most 10. Absent if there were none, and for hosts that are not inspected.
   */
  readonly models?: { readonly answered: number; readonly failed: readonly FailedModelCall[] }
}

/** Calls of one model API that failed in the same way in a row. Times are milliseconds since the epoch. */
export interface FailedModelCall {
  readonly host: string
  /**
   * `cut`: the answer ended early. `unanswered`: the client waited, and left or was ended before an answer started. `not-renewed`
   * and `no-credential`: the host was never contacted, because the gateway had no usable credential.
   */
  readonly kind: 'refused' | 'cut' | 'unanswered' | 'unreachable' | 'unresolvable' | 'not-renewed' | 'no-credential'
  /** The HTTP status of a refusal. */
  readonly status: number | null
  /** For `not-renewed` and `no-credential`: the reason, in one sentence. */
  readonly why?: string
  /** When the rate limit ends, according to the headers of the newest answer. */
  readonly resetsAt: number | null
  /** For the newest call: milliseconds from the request to its end. */
  readonly waitedMs: number
  /** The time of the newest call. */
  readonly at: number
  readonly count: number
}

/** Traffic on a cell's own network interface: bytes of packets, including their headers. */
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

/** Why something was refused, as reported in the summary and in the audit events. */
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
  /** A request to an inspected host that was denied by a rule, or asked about and not allowed. */
  | 'rule'
  | 'not-approved'
  | 'bad-certificate'
  /** There is no usable credential for a request, and the user must act. */
  | 'no-credential'
  /** A login could not be renewed for a request. This may be temporary. */
  | 'not-renewed'
  /** The request contained a credential other than the cell's own. */
  | 'foreign-credential'
  | 'unreadable-answer'
