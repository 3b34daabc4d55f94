import type { EgressSummary } from '../egress/summary.ts'
import type { LimitInForce } from './plan/limits.ts'

export type { EgressSummary }

/** How a cell ended. Exactly one of these, decided in this order of precedence. */
export type CellEnding =
  /** 128 + n if signal n ended the program, or if it chose that code itself. */
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'out-of-disk' }
  | { readonly kind: 'output-flood' }
  | { readonly kind: 'cancelled' }
  /** A program of the host removed or replaced this protected path, so the cell could have written to it and was killed. */
  | { readonly kind: 'unprotected'; readonly path: string }
  | { readonly kind: 'start-failed'; readonly message: string; readonly hint?: string }

export interface ChangeSummary {
  /** Paths relative to the project, `/` between parts; sorted; at most 1,000 of each kept for each tree. */
  readonly created: readonly string[]
  readonly modified: readonly string[]
  /**
   * What a tool of the host will run later, with the reason: of all files that were created or modified, the most important first; at most
   * 100,000 kept.
   */
  readonly runsLater: readonly { readonly path: string; readonly why: string }[]
  /** Files that run later and were newly made deep in the project: moved aside, with where to find them; at most 100,000 kept. */
  readonly quarantined: readonly { readonly path: string; readonly movedTo: string }[]
  /** What could not be looked into: unreadable, too deep, or not to be moved aside. Look before you enter. */
  readonly unsearched: readonly string[]
  /** True if a list was cut, or the tree was too large to look at all of it. */
  readonly truncated: boolean
}

/** The facts after a cell ended, in the form of the JSON of `--report FILE`. */
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
  /** The signals that ending it took, in order; empty when it ended by itself. */
  readonly killLadder: readonly string[]
  readonly resources: { readonly cpuMs: number | null; readonly peakMemoryBytes: number | null }
  readonly limits: readonly LimitInForce[]
  readonly egress: EgressSummary
  readonly changes: ChangeSummary | null
  /** Guarantees that the user gave up by name for this cell. */
  readonly degraded: readonly string[]
}
