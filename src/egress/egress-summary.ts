import type * as z from 'zod'
import type { Frozen } from '../base/frozen.ts'
import type { egressSummarySchema } from './egress-summary-schema.ts'

/** The summary of a cell's network use, in its JSON form. */
export type EgressSummary = Frozen<z.output<typeof egressSummarySchema>>

/** Consecutive calls of one model API that failed in the same way. */
export type FailedModelCall = NonNullable<EgressSummary['models']>['failed'][number]

/** Traffic on a cell's own network interface, in bytes of packets, including their headers. */
export type CellTraffic = NonNullable<EgressSummary['network']>

/** A placeholder that was sent to a place where it has no value. */
export type Astray = NonNullable<EgressSummary['astray']>[number]

export type ReachedDestination = EgressSummary['reached'][number]

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
