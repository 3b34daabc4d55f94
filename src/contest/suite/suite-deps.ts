import type { ContestDeps } from '../state/contest-deps.ts'
import type { ContestEvent } from '../state/progress.ts'

/** An event while a suite runs. `run` is the name of a contest, such as `parser/2`. */
export type SuiteEvent =
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'suite'; readonly contests: number; readonly open: number }
  | { readonly type: 'run-started'; readonly run: string }
  | { readonly type: 'contest'; readonly run: string; readonly event: ContestEvent }
  /** The end of a contest. `verdict`: the sentence of its report; null: the report has no verdict. */
  | { readonly type: 'run-ended'; readonly run: string; readonly verdict: string | null; readonly done: number; readonly of: number }
  | { readonly type: 'run-failed'; readonly run: string; readonly message: string }
  /** A contest that the budget kept from ending. */
  | { readonly type: 'run-unfinished'; readonly run: string; readonly message: string }
  /** The budget is used up, so no further contest starts. */
  | { readonly type: 'budget'; readonly cap: string }

export interface SuiteDeps extends Omit<ContestDeps, 'progress'> {
  readonly progress: (event: SuiteEvent) => void
}

export interface SuiteOptions {
  /** The names of the briefs to run; empty: all. */
  readonly only?: readonly string[]
  /** Starts a new round of each contest. Earlier rounds stay on disk. */
  readonly fresh?: boolean
  /** Reruns participants and judges that failed to run. */
  readonly retry?: boolean
  /** The maximum number of cells at the same time; overrides suite.yaml. */
  readonly parallel?: number
  /** US dollars that all contests together may cost, if suite.yaml does not have a lower budget. */
  readonly budget?: number
}
