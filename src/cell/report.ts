import type { EgressSummary } from '../egress/summary.ts'
import type { LimitInForce } from './plan/limits.ts'

export type { EgressSummary }

/** How a cell ended. Exactly one of these; `endingOf` decides which. */
export type CellEnding =
  /** The code is 128 + n if signal n ended the program, or if the program chose that code itself. */
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'out-of-disk' }
  | { readonly kind: 'output-flood' }
  | { readonly kind: 'cancelled' }
  /** A host program removed or replaced this protected path. The cell could have written to it, so it was killed. */
  | { readonly kind: 'unprotected'; readonly path: string }
  | { readonly kind: 'start-failed'; readonly message: string; readonly hint?: string }

export interface ChangeSummary {
  /** Paths relative to the project, separated by `/` and sorted. At most 1,000 of each are kept for each tree. */
  readonly created: readonly string[]
  readonly modified: readonly string[]
  /**
   * Created or modified files that a tool of the host will run later, with the reason, the most important first; at most
   * 100,000 kept.
   */
  readonly runsLater: readonly { readonly path: string; readonly why: string }[]
  /** New files deep in the project that would run later. They were quarantined, with their new paths; at most 100,000 kept. */
  readonly quarantined: readonly { readonly path: string; readonly movedTo: string }[]
  /** Paths that could not be searched: unreadable, too deep, or impossible to quarantine. Check them before you enter them. */
  readonly unsearched: readonly string[]
  /** True if a list was cut, or the tree was too large to search completely. */
  readonly truncated: boolean
}

/** The results of a cell after its end, in the form of the JSON of `--report FILE`. */
export interface CellReport {
  readonly schemaVersion: 1
  readonly cell: string
  readonly name: string
  readonly posture: string
  readonly backend: string
  readonly planHash: string
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  readonly ending: CellEnding
  /** The signals that were needed to end it, in order. Empty if it ended by itself. */
  readonly killLadder: readonly string[]
  readonly resources: { readonly cpuMs: number | null; readonly peakMemoryBytes: number | null }
  readonly limits: readonly LimitInForce[]
  readonly egress: EgressSummary
  readonly changes: ChangeSummary | null
  /** Guarantees that the user gave up by name for this cell. */
  readonly degraded: readonly string[]
}
