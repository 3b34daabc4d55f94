import type { Host } from '../../host.ts'
import type { Spent } from '../budgets/spent.ts'
import type { AgentData } from '../data-directory.ts'
import type { CallAnswer, CallWish } from './calls.ts'
import type { ToHost } from './protocol.ts'

/** One job as the server asks for it. */
export type JobOrder = Omit<Extract<ToHost, { type: 'run' }>, 'type'>

export interface JobMeans {
  readonly data: AgentData
  /** Opened with the first job. */
  readonly host: () => Promise<Host>
  readonly now: () => Date
  /** Aborted to cancel: the start, or the cell. */
  readonly signal: AbortSignal
  readonly hooks: JobHooks
}

/** What is reported of a job while it runs. */
export interface JobHooks {
  /** Its transcript has grown to so many events. */
  wrote(events: number): void
  /** It waits, or does not any more: for a human who answers its cell, or for what `why` says in a sentence. */
  waiting(isWaiting: boolean, why?: string): void
  /** Asks the server, and waits for its answer. Rejects once the signal is aborted. */
  call(what: CallWish, signal: AbortSignal): Promise<CallAnswer>
  /** Calls the listener with what each job used that this one delegated. */
  onSpent(listener: (used: Spent) => void): void
  /** Little is left of a budget: one sentence. */
  budget(message: string): void
}
