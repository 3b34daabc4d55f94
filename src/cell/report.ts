import type { EgressSummary } from '../egress/summary.ts'
import type { LimitInForce } from './plan/limits.ts'

export type { EgressSummary }

/** The way in which a cell ended. `endingOf` decides which one applies. */
export type CellEnding =
  /** The program ended. The code is 128 + n if signal n ended it, or if the program chose that code itself. */
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'out-of-disk' }
  | { readonly kind: 'output-flood' }
  | { readonly kind: 'cancelled' }
  /** A host program removed or replaced this protected path. The cell was killed, because it could have written to the path. */
  | { readonly kind: 'unprotected'; readonly path: string }
  | { readonly kind: 'start-failed'; readonly message: string; readonly hint?: string }

export interface ChangeSummary {
  /** Paths relative to the project, separated by `/` and sorted. `created` and `modified` each keep at most 1,000 for each tree. */
  readonly created: readonly string[]
  readonly modified: readonly string[]
  /**
   * Created or modified files that a tool of the host will run later, each with the reason. The most important come first; at most
   * 100,000 are kept.
   */
  readonly runsLater: readonly { readonly path: string; readonly why: string }[]
  /** New files deep in the project that would run later. They were quarantined under these new paths. At most 100,000 are kept. */
  readonly quarantined: readonly { readonly path: string; readonly movedTo: string }[]
  /**
   * Git directories that the cell made and that stay, rewritten to a form that can run nothing, each with the entries and settings that were
   * removed from it. Absent in reports of older versions.
   */
  readonly laundered?: readonly { readonly path: string; readonly removed: readonly string[] }[]
  /** Paths that were unreadable, too deep, or impossible to quarantine. Check these directories before you enter them. */
  readonly unsearched: readonly string[]
  /** True if a list was cut, or if the tree was too large to search completely. */
  readonly truncated: boolean
}

/** The results of a cell after its end, in the JSON form of `--report FILE`. */
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
  /** The signals that were needed to end the cell, in order. Empty if it ended by itself. */
  readonly killLadder: readonly string[]
  readonly resources: { readonly cpuMs: number | null; readonly peakMemoryBytes: number | null }
  readonly limits: readonly LimitInForce[]
  readonly egress: EgressSummary
  readonly changes: ChangeSummary | null
  /** Guarantees that the user gave up by name for this cell. */
  readonly degraded: readonly string[]
}
