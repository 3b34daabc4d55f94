import type { ContestDeps } from '../run/deps.ts'
import type { ContestEvent } from '../state/progress.ts'

/** What happens while a suite goes on. `run` is the name of a contest, such as `parser/2`. */
export type SuiteEvent =
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'suite'; readonly contests: number; readonly open: number }
  | { readonly type: 'run-started'; readonly run: string }
  | { readonly type: 'contest'; readonly run: string; readonly event: ContestEvent }
  /** `verdict`: the sentence of its report; null: it has none. */
  | { readonly type: 'run-ended'; readonly run: string; readonly verdict: string | null; readonly done: number; readonly of: number }
  | { readonly type: 'run-failed'; readonly run: string; readonly message: string }
  /** No further contest begins. */
  | { readonly type: 'budget'; readonly cap: string }

export interface SuiteDeps extends Omit<ContestDeps, 'progress'> {
  readonly progress: (event: SuiteEvent) => void
}

export interface SuiteOptions {
  /** Names of briefs; empty: all. */
  readonly only?: readonly string[]
  /** Starts a new round of each contest; the earlier ones stay on the disk. */
  readonly fresh?: boolean
  /** Runs those again that failed to run: participants and judges. */
  readonly retry?: boolean
  /** Cells at the same time, over what suite.yaml says. */
  readonly parallel?: number
}
