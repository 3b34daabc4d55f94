import type { Allowance } from '../budgets/allowance.ts'
import type { JobResult, JobState } from '../jobs/job.ts'
import type { Used } from '../store/usage.ts'

/** A job as the fleet knows it. Times are ISO 8601. */
export interface Job {
  /** Grows with each job: the order in which they were given. */
  readonly number: number
  readonly id: string
  /** The id of the agent; null: any free one with the labels may take it. */
  readonly agent: string | null
  readonly labels: readonly string[]
  readonly state: JobState
  /** Which of the agent's homes and workspaces it has, from 1: of a job that continues another, that one's. Null: it has not begun. */
  readonly slot: number | null
  /** The adapter whose conversation it is, by name; null: it has not begun one. */
  readonly adapter: string | null
  /** From 1; one that was lost and is begun anew, or continued, by itself is followed by a job with the next number. */
  readonly attempt: number
  /** Somebody wants it ended. */
  readonly cancelAsked: boolean
  /** The beginning of its prompt, for lists. */
  readonly promptStart: string
  /** Who gave it: the name of a token, or `owner`. */
  readonly requestedBy: string
  /** The id of the lease that it belongs to; null: none. */
  readonly lease: string | null
  /** The id of the job whose conversation it continues. */
  readonly continues: string | null
  /** By which the agent's CLI continues the conversation. */
  readonly conversation: string | null
  /** A message to the job that it continues: it begins when that one has ended, in its conversation. */
  readonly isMessage: boolean
  /** The id of the job that delegated it; null: none did. */
  readonly parent: string | null
  readonly idempotencyKey: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** What its host process reported at the end; null: it has not ended, or was lost. */
  readonly result: JobResult | null
  /** Why it waits or how it was lost, one sentence; null: nothing to say. */
  readonly problem: string | null
}

export interface NewJob {
  readonly agent: string | null
  readonly labels: readonly string[]
  readonly prompt: string
  readonly requestedBy: string
  readonly continues: string | null
  readonly conversation: string | null
  /** It waits for the end of the job that it continues, or of the last message to that one, and learns the conversation from it. */
  readonly isMessage?: boolean
  /** The id of the lease that it belongs to; absent: that of the job that it continues, if that has one. */
  readonly lease?: string | null
  /** 1 unless it follows one that was lost. */
  readonly attempt?: number
  /** A second job with the same key of the same requester is the first one. */
  readonly idempotencyKey: string | null
  /** The id of the job that delegates it. */
  readonly parent?: string | null
  /** The budget that was given with it, and what the job that delegates it leaves of its budgets. */
  readonly limits?: readonly Allowance[]
}

/** An agent that takes a job. */
export interface Claimant {
  readonly id: string
  readonly labels: readonly string[]
  readonly adapter: string
}

/** What lists of agents show of a job. */
export interface RecentJob extends Pick<Job, 'id' | 'state' | 'promptStart' | 'startedAt' | 'endedAt'> {
  /** How it ended; null: it has not, or was lost. */
  readonly outcome: JobResult['outcome'] | null
}

export interface JobFilter {
  readonly agent?: string
  readonly state?: JobState
  readonly lease?: string
  /** What the beginning of its prompt has, whatever the case of ASCII letters. */
  readonly text?: string
}

/** What the end of retention needs to know of a job. */
export interface EndedJob {
  readonly number: number
  readonly id: string
  readonly agent: string | null
  /** ISO 8601. */
  readonly endedAt: string
  readonly bytes: number
  /** The id of a copy with what it changed; null: there was none. */
  readonly copy: string | null
}

/** How a job ended that has a result, or how it was lost, with what it is known to have used. */
export type JobEnd =
  | { readonly result: JobResult }
  | {
      readonly state: 'interrupted' | 'cancelled'
      readonly problem: string
      readonly conversation?: string | null
      readonly used?: Used | null
    }

/**
 * The jobs of a fleet, in order. The result of a method is on the disk, and its event is in the log. One process calls it; of two calls at
 * once, each sees all or nothing of the other.
 */
export interface JobQueue {
  /**
   * Adds a job, or returns the earlier one with this key.
   * @throws PaddockError CONFLICT if the earlier one was another request
   */
  put(job: NewJob): Promise<{ readonly job: Job; readonly isNew: boolean }>
  get(id: string): Promise<Job | null>
  /** The whole prompt. */
  prompt(id: string): Promise<string>
  /** Newest first, with smaller numbers than `before`. */
  list(filter: JobFilter, page: { readonly before: number | null; readonly limit: number }): Promise<readonly Job[]>
  /**
   * The oldest job that this agent can take now without the slots in use, which is running from now on; null: there is none. A job that
   * continues another one waits for the slot of that one, whose home has the conversation; a message also for its end. Jobs of the leases in
   * use wait as well: a lease has one home.
   */
  claim(agent: Claimant, used: readonly number[], leases?: readonly string[]): Promise<Job | null>
  /** The jobs that this one delegated, in order. */
  children(id: string): Promise<readonly Job[]>
  /** The budget that was given with it, and what the job that delegated it leaves of its budgets. */
  limits(id: string): Promise<readonly Allowance[]>
  /** Jobs that have not ended although the job that delegated them has, and is not done. */
  orphans(): Promise<readonly Job[]>
  /** Another prompt for a job that is queued. Null: it is not, or there is none. */
  change(id: string, prompt: string): Promise<Job | null>
  /** Back to the queue, at its old place: it was never begun. `notBefore`: milliseconds since the epoch. */
  giveBack(id: string, notBefore?: number): Promise<void>
  /** Its state while it runs, and what it waits for, as a sentence, if that is not a person. */
  note(id: string, state: 'running' | 'waiting', why?: string): Promise<void>
  /** Ends a job that runs. `bytes`: what its files take. Null: it had ended before. */
  end(id: string, end: JobEnd, bytes?: number): Promise<Job | null>
  /**
   * Ends a job that is queued; messages to it go to what it continues. Of one that runs, notes that it is to end. Null: it had ended.
   */
  cancel(id: string): Promise<Job | null>
  /** Jobs that have ended and that none in the queue or at work continues, by their ends, the oldest first: those behind this one. */
  ended(after: EndedJob | null, limit: number): Promise<readonly EndedJob[]>
  /** Bytes that the files of all ended jobs take. */
  bytes(): Promise<number>
  /** Deletes a job that has ended, with its prompt. */
  remove(id: string): Promise<void>
  /** Jobs that are running or waiting. */
  inHand(): Promise<readonly Job[]>
  /** Jobs of an agent that are queued. */
  queued(agent: string): Promise<number>
  /** The last jobs of an agent that have begun, newest first: no more of them than a list needs. */
  recent(agent: string, limit: number): Promise<readonly RecentJob[]>
  /** Ids of the agents that have queued jobs of their own, and true if there are queued jobs for any agent. */
  wanted(): Promise<{ readonly agents: readonly string[]; readonly any: boolean }>
}
