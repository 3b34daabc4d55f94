import type { Summary } from '../ranking/contest-summary.ts'

/** The result of a contest: its report and the paths of its files. */
export interface ContestResult {
  readonly summary: Summary
  readonly files: { readonly leaderboard: string; readonly html: string; readonly summary: string }
  /** 0 if there is a ranking. 1 if the contest ran but there is no ranking. */
  readonly exitCode: 0 | 1
}
