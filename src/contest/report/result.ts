import type { Summary } from './summary.ts'

/** The result of a contest: its report, and where its files are. */
export interface ContestResult {
  readonly summary: Summary
  readonly files: { readonly leaderboard: string; readonly html: string; readonly summary: string }
  /** 0: there is a ranking. 1: it ran, but there is none. */
  readonly exitCode: 0 | 1
}
