/** What a cell did with its way out, in the form of its JSON. */
export interface EgressSummary {
  readonly mode: 'off' | 'allowlist' | 'public' | 'open'
  /** Connections that were let out. */
  readonly connections: number
  readonly bytesOut: number
  readonly bytesIn: number
  /** Destinations that were reached: `host:port`, with bytes both ways. At most 1,000 kept. */
  readonly reached: readonly ReachedDestination[]
  /** What was refused, with the reason, counted. `port` is null for a name that was asked of DNS. At most 1,000 kept. */
  readonly denied: readonly { readonly host: string; readonly port: number | null; readonly reason: string; readonly count: number }[]
  /** Refusals of further destinations, beyond those kept in `denied`; absent when there were none. */
  readonly deniedMore?: number
  /** Placeholders that the cell sent to places where they have no value. Absent if there were none. */
  readonly astray?: readonly Astray[]
  /** What went past the gateway under `public` and `open`; absent in the other modes, and if the kernel did not report it. */
  readonly network?: CellTraffic
  /** Requests to inspected hosts. Absent if none were made. */
  readonly requests?: { readonly allowed: number; readonly denied: number }
  /**
   * Calls of the model APIs that the cell has credentials for: how many were answered, and those that failed since the last answer, oldest
   * first, at most 10. Absent if there were none, and for hosts that are not inspected.
   */
  readonly models?: { readonly answered: number; readonly failed: readonly FailedModelCall[] }
}

/** Calls of one model API that failed in the same way, one after the other. Times are milliseconds since the epoch. */
export interface FailedModelCall {
  readonly host: string
  /**
   * `cut`: the answer ended before its end. `unanswered`: the client waited, and left or was ended before an answer began. `not-renewed` and
   * `no-credential`: the host was never asked, because the gateway had no usable credential.
   */
  readonly kind: 'refused' | 'cut' | 'unanswered' | 'unreachable' | 'unresolvable' | 'not-renewed' | 'no-credential'
  /** The HTTP status of a refusal. */
  readonly status: number | null
  /** Of `not-renewed` and `no-credential`: the reason, in one sentence. */
  readonly why?: string
  /** When its limit ends, by the headers of the newest answer. */
  readonly resetsAt: number | null
  /** Of the newest: milliseconds from the request to its end. */
  readonly waitedMs: number
  /** Of the newest. */
  readonly at: number
  readonly count: number
}

/** What went over a cell's own network interface: bytes of packets, their headers included. */
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
  /** A request to an inspected host: forbidden by a rule, or asked about and not allowed. */
  | 'rule'
  | 'not-approved'
  | 'bad-certificate'
  /** There is no usable credential for a request, and the user must act. */
  | 'no-credential'
  /** A login could not be renewed for a request, but may be later. */
  | 'not-renewed'
  /** Another credential than the cell's own stood in its place. */
  | 'foreign-credential'
  | 'unreadable-answer'
