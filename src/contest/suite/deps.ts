import type { ContestDeps } from '../run/deps.ts'
import type { ContestEvent } from '../state/progress.ts'

/** An event while a suite runs. `run` is the name of a contest, such as `parser/2`. */
export type SuiteEvent =
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'suite'; readonly contests: number; readonly open: number }
  | { readonly type: 'run-started'; readonly run: string }
  | { readonly type: 'contest'; readonly run: string; readonly event: ContestEvent }
  /** `verdict`: the sentence of its report; null: it has none. */
  | { readonly type: 'run-ended'; readonly run: string; readonly verdict: string | null; readonly done: number; readonly of: number }
  | { readonly type: 'run-failed'; readonly run: string; readonly message: string }
  /** No further contest starts. */
  | { readonly type: 'budget'; readonly cap: string }

export interface SuiteDeps extends Omit<ContestDeps, 'progress'> {
  readonly progress: (event: SuiteEvent) => void
}

export interface SuiteOptions {
  /** Names of briefs; empty: all. */
  readonly only?: readonly string[]
  /** Starts a new round of each contest; the earlier ones stay on disk. */
  readonly fresh?: boolean
  /** Reruns participants and judges that failed to run. */
  readonly retry?: boolean
  /** The most cells at the same time; overrides suite.yaml. */
  readonly parallel?: number
}
