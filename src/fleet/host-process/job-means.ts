import type { BasePlace } from '../../config/base-place.ts'
import type { Host } from '../../host.ts'
import type { Spent } from '../budgets/budget-spent.ts'
import type { AgentData } from '../data-directory.ts'
import type { NamedDirectories } from '../manifest/project-rights.ts'
import type { TreeWishes } from '../workspace/placed-workspace.ts'
import type { CallAnswer, CallWish } from './calls.ts'
import type { ToHost } from './host-protocol.ts'

/** A server's order to run one job. */
export type JobOrder = Omit<Extract<ToHost, { type: 'run' }>, 'type'>

export interface JobMeans {
  readonly data: AgentData
  /** Returns the host, which is opened with the first job. */
  readonly host: () => Promise<Host>
  readonly now: () => Date
  readonly treeWishes: (project: string) => Promise<TreeWishes>
  /** Returns the lowest isolation level that the user's configuration, and that of a trusted project, permit. Null: no project. */
  readonly floor: (project: string | null) => Promise<BasePlace>
  /** Returns the directories that manifests may name now. */
  readonly projects: () => Promise<NamedDirectories>
  /** Aborted to cancel the start of the job, or its cell. */
  readonly signal: AbortSignal
  readonly hooks: JobHooks
}

/** Callbacks of a running job. */
export interface JobHooks {
  /** Called when the job's transcript has grown; `events` is the new count. */
  wrote(events: number): void
  /** Called when the job starts or stops waiting: for a human who answers its cell, or for the reason `why` (a sentence). */
  waiting(isWaiting: boolean, why?: string): void
  /** Sends a request to the server and waits for the answer. Rejects once the signal is aborted. */
  call(what: CallWish, signal: AbortSignal): Promise<CallAnswer>
  /** Calls the listener with the use of each job that this one delegated. */
  onSpent(listener: (used: Spent) => void): void
  /** Called with one sentence when a budget is nearly used up, or used up. */
  budget(message: string): void
}
