import type { Summary } from './summary.ts'

/** What a contest has come to: its report, and where the files of it are. */
export interface ContestResult {
  readonly summary: Summary
  readonly files: { readonly leaderboard: string; readonly html: string; readonly summary: string }
  /** 0: there is a ranking. 1: it ran, and there is none. */
  readonly exitCode: 0 | 1
}
