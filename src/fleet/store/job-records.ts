import type { Allowance } from '../budgets/budget-allowance.ts'
import type { JobResult, JobState } from '../jobs/job.ts'
import type { ListedJob } from '../jobs/listed-job.ts'
import type { Used } from './usage-store.ts'

/** A job of the fleet. Times are ISO 8601. */
export interface Job {
  /** A number that increases with each job, in the order in which jobs were given. */
  readonly number: number
  readonly id: string
  /** The id of the agent; null if any free agent with the labels may take it. */
  readonly agent: string | null
  readonly labels: readonly string[]
  readonly state: JobState
  /** The number of the agent's home and workspace, from 1; a continuing job uses the earlier job's. Null before the job starts. */
  readonly slot: number | null
  /** The name of the adapter that has the conversation; null if no conversation has started. */
  readonly adapter: string | null
  /** The attempt number, from 1. The job that automatically restarts or continues a lost one has the next number. */
  readonly attempt: number
  /** Whether the job was asked to end. */
  readonly cancelAsked: boolean
  /** The start of the prompt, for lists. */
  readonly promptStart: string
  /** The requester: the name of a token, or `owner`. */
  readonly requestedBy: string
  /** Whether an owner wrote its prompt, directly and not as a schedule. */
  readonly byOwner: boolean
  /** The id of the job's lease, or null. */
  readonly lease: string | null
  /** The id of the job whose conversation this job continues. */
  readonly continues: string | null
  /** The id with which the agent's CLI continues the conversation. */
  readonly conversation: string | null
  /** Whether this job is a message to the job that it continues. A message starts in that job's conversation, once that job has ended. */
  readonly isMessage: boolean
  /** The id of the delegating job, or null. */
  readonly parent: string | null
  readonly idempotencyKey: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** The result from the host process; null if the job has not ended, or was lost. */
  readonly result: JobResult | null
  /** The number of changes in its copy, or of commits on its branch, that wait after a review; null if nothing was reviewed yet. */
  readonly toApply: number | null
  /** The reason why the job waits or was lost, in one sentence, or null. */
  readonly problem: string | null
}

export interface NewJob {
  readonly agent: string | null
  readonly labels: readonly string[]
  readonly prompt: string
  readonly requestedBy: string
  /** Whether an owner wrote the prompt, directly and not as a schedule; default: false. */
  readonly byOwner?: boolean
  readonly continues: string | null
  readonly conversation: string | null
  /** True to wait for the end of the job that it continues, or of the last message to that job, and then to continue the conversation. */
  readonly isMessage?: boolean
  /** The id of the lease; by default that of the job that this one continues. */
  readonly lease?: string | null
  /** The attempt number; 1 unless this job follows a lost one. */
  readonly attempt?: number
  /** A key for repeated requests: if the same requester uses it again, the first job is returned. */
  readonly idempotencyKey: string | null
  /** The id of the delegating job. */
  readonly parent?: string | null
  /** The budget that was given with the job, and the rest of the delegating job's budgets. */
  readonly limits?: readonly Allowance[]
}

/** An agent that takes a job. */
export interface Claimant {
  readonly id: string
  readonly labels: readonly string[]
  readonly adapter: string
}

/** A job in a list of agents. */
export interface RecentJob extends Pick<Job, 'id' | 'state' | 'promptStart' | 'startedAt' | 'endedAt'> {
  /** The outcome; null if the job has not ended, or was lost. */
  readonly outcome: JobResult['outcome'] | null
}

export interface JobFilter {
  readonly agent?: string
  readonly state?: JobState
  readonly lease?: string
  /** Text that the start of the prompt contains, ignoring the case of ASCII letters. */
  readonly text?: string
}

/** The facts about a job that retention needs. */
export interface EndedJob {
  readonly number: number
  readonly id: string
  readonly agent: string | null
  /** The time of the job's end, in ISO 8601. */
  readonly endedAt: string
  readonly bytes: number
  /** The id of a copy with the job's changes, or null. */
  readonly copy: string | null
  /** The directory of the work tree of git in which the job worked, or null. */
  readonly worktree: string | null
}

/** The end of a job: the result, or the way in which the job was lost with its known use. */
export type JobEnd =
  | { readonly result: JobResult }
  | {
      readonly state: 'interrupted' | 'cancelled'
      readonly problem: string
      readonly conversation?: string | null
      readonly used?: Used | null
    }

/** The jobs of a fleet, in order. When a method returns, its result is on the disk and its event is in the log. */
export interface Jobs {
  /**
   * Adds a job, or returns the earlier one with this idempotency key.
   * @throws PaddockError CONFLICT if the earlier request was a different one
   */
  put(job: NewJob): { readonly job: Job; readonly isNew: boolean }
  get(id: string): Job | null
  /** Returns the whole prompt. */
  prompt(id: string): string
  /** Returns jobs with smaller numbers than `before`, newest first. An object that was returned before is a job that did not change. */
  list(filter: JobFilter, page: { readonly before: number | null; readonly limit: number }): readonly ListedJob[]
  /**
   * Takes the oldest job that this agent can run now without the slots in use, and sets it to running; null if there is none. A job that
   * continues another one waits for that job's slot, whose home has the conversation, and a message also waits for that job's end. Jobs of
   * leases in use wait as well, because a lease has one home.
   */
  claim(agent: Claimant, used: readonly number[], leases?: readonly string[]): Job | null
  /** Returns the jobs that this one delegated, in order. */
  children(id: string): readonly Job[]
  /** Returns the budget that was given with a job, and the rest of the delegating job's budgets. */
  limits(id: string): readonly Allowance[]
  /** Returns unfinished jobs that nothing will end: their delegating job ended without being done, or their agent is archived. */
  orphans(): readonly Job[]
  /** Replaces the prompt of a queued job. Null if the job is not queued or does not exist. */
  change(id: string, prompt: string, byOwner?: boolean): Job | null
  /** Returns a job that never started to its old position in the queue. `notBefore`: milliseconds since the epoch. */
  giveBack(id: string, notBefore?: number): void
  /** Records the state of a running job. `why`: a sentence, if the job waits for something other than a person. */
  note(id: string, state: 'running' | 'waiting', why?: string): void
  /** Ends a running job. `bytes`: the size of its files. Null if the job had ended before. */
  end(id: string, end: JobEnd, bytes?: number): Job | null
  /**
   * Ends a queued job; messages to it are then for the job that it continues. Marks a running job to be ended. Null if the job had ended.
   */
  cancel(id: string): Job | null
  /** Records how many changes of an ended job wait to be applied. */
  noteToApply(id: string, toApply: number): void
  /** Returns ended jobs after the given one, in the order of their ends, without jobs that a queued or running job continues. */
  ended(after: EndedJob | null, limit: number): readonly EndedJob[]
  /** Returns the total size of the files of all ended jobs, in bytes. */
  bytes(): number
  /** Deletes an ended job, with its prompt. */
  remove(id: string): void
  /** Returns the jobs that are running or waiting. */
  inHand(): readonly Job[]
  /** Returns the number of queued jobs of each agent that has any. */
  queued(): ReadonlyMap<string, number>
  /** Returns the number of jobs of each agent in each state that is not an end. A job for any free agent has no agent. */
  unfinished(): readonly { readonly agent: string | null; readonly state: JobState; readonly jobs: number }[]
  /** Returns when the oldest queued job was created, in ISO 8601; null if none is queued. */
  oldestQueued(): string | null
  /** Returns the last jobs of an agent that have started, newest first, with the facts that a list needs. */
  recent(agent: string, limit: number): readonly RecentJob[]
  /** Returns the ids of the agents that have queued jobs of their own, and whether any queued jobs can go to any agent. */
  wanted(): { readonly agents: readonly string[]; readonly any: boolean }
}
