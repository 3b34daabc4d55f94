import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { writeJson } from '../../files/atomic.ts'
import type { Spent } from '../budgets/budget-spent.ts'
import type { AgentData } from '../data-directory.ts'
import type { JobResult, JobState } from '../jobs/job.ts'
import { writeAccepted } from './accept-job.ts'
import { Calls } from './calls.ts'
import type { FromHost } from './host-protocol.ts'
import type { JobHooks, JobOrder } from './job-means.ts'
import { waitFor } from './rate-limit.ts'

/** Milliseconds before another attempt to write a result (after a full disk). */
const againMs = 5_000

/** The answer to a `run`. */
export type Accepted = Extract<FromHost, { type: 'accepted' | 'ended' | 'state' }>

export interface JobsOptions {
  readonly data: AgentData
  /** Runs one job and returns its result; a failure of the job does not reject. */
  readonly run: (order: JobOrder, signal: AbortSignal, hooks: JobHooks) => Promise<JobResult>
  /** Called with frames that are meant for every server. */
  readonly tell: (frame: Extract<FromHost, { type: 'wrote' | 'state' | 'budget' | 'call' | 'withdrawn' | 'ended' }>) => void
  /** Called when the last job has ended. */
  readonly onRest: () => void
  /** Shows one line to the user. */
  readonly notice: (line: string) => void
}

interface Job {
  readonly slot: number
  /** The id of the job's lease, or null. */
  readonly lease: string | null
  readonly control: AbortController
  readonly accepted: Promise<readonly Accepted[]>
  /** False until the process knows whether the job was accepted before. */
  isStarted: boolean
  state: JobState
  events: number
  /** The use of the job's delegated jobs, by their ids. */
  readonly spent: Map<string, Spent>
  onSpent: ((used: Spent) => void) | null
}

/** The jobs that this process runs. A job is in the table from the first request until its result is on the disk. */
export class Jobs {
  readonly #options: JobsOptions
  /** Requests of the jobs to the server. */
  readonly calls: Calls
  readonly #jobs = new Map<string, Job>()
  /** The reason why jobs are no longer accepted, or null. */
  #closed: string | null = null
  #interrupted = false

  constructor(options: JobsOptions) {
    this.#options = options
    this.calls = new Calls(options.tell)
  }

  get size(): number {
    return this.#jobs.size
  }

  statuses(): { job: string; state: JobState; events: number }[] {
    return [...this.#jobs].filter(([, each]) => each.isStarted).map(([job, { state, events }]) => ({ job, state, events }))
  }

  /** Returns the number of events in the transcript of a running job; null for any other job. */
  events(job: string): number | null {
    const known = this.#jobs.get(job)
    return known?.isStarted === true ? known.events : null
  }

  /**
   * Accepts a job and starts it, unless this process or an earlier one accepted it before. Returns the answers once this is on the
   * disk.
   * @throws PaddockError CONFLICT or FILES_FAILED if the job was not accepted. The caller may send it again.
   */
  async accept(order: JobOrder): Promise<readonly Accepted[]> {
    const known = this.#jobs.get(order.job)
    if (known !== undefined) return known.accepted
    const { promise: accepted, resolve, reject } = Promise.withResolvers<readonly Accepted[]>()
    accepted.catch(() => undefined)
    const job: Job = {
      slot: order.slot,
      lease: order.lease?.id ?? null,
      control: new AbortController(),
      accepted,
      isStarted: false,
      state: 'running',
      events: 0,
      spent: new Map(),
      onSpent: null,
    }
    const refusal = this.#refusal(job)
    this.#jobs.set(order.job, job)
    this.#begin(order, job, refusal).then(resolve, (error: unknown) => {
      this.#remove(order.job)
      reject(error)
    })
    return accepted
  }

  /** Ends a job. `ended` is sent when the job's cell is gone. */
  cancel(job: string): void {
    this.#jobs.get(job)?.control.abort(new PaddockError('CANCELLED', 'The job was cancelled before its cell had started.'))
  }

  /** Records the use of a job that this one delegated and that has ended. */
  spent(id: string, child: string, used: Spent): void {
    const job = this.#jobs.get(id)
    if (job === undefined || job.spent.has(child)) return
    job.spent.set(child, used)
    job.onSpent?.(used)
  }

  cancelAll(): void {
    for (const each of this.#jobs.keys()) this.cancel(each)
  }

  /** Ends all cells without results: these jobs are interrupted, and the agent's manifest determines what happens next. */
  interrupt(): void {
    this.#interrupted = true
    this.cancelAll()
  }

  /** Refuses all jobs from now on. `why` is a sentence. */
  close(why: string): void {
    this.#closed ??= why
  }

  #refusal({ slot, lease }: Job): PaddockError | null {
    if (this.#closed !== null) return new PaddockError('CONFLICT', this.#closed, { hint: 'Send the job again when it has ended' })
    const others = [...this.#jobs.values()]
    if (lease !== null && others.some((each) => each.lease === lease))
      return new PaddockError('CONFLICT', `Another job of the lease ${lease} runs.`, { hint: 'Wait until it has ended' })
    return others.some((each) => each.slot === slot)
      ? new PaddockError('CONFLICT', `Another job runs in slot ${slot} of this agent.`, { hint: 'Wait until it has ended' })
      : null
  }

  async #begin(order: JobOrder, job: Job, refusal: PaddockError | null): Promise<readonly Accepted[]> {
    const { data } = this.#options
    const files = data.job(order.job)
    const accepted: Accepted = { type: 'accepted', job: order.job }
    const isNew = refusal === null && (await writeAccepted(order, data))
    if (isNew) {
      job.isStarted = true
      // Send the answer first.
      setImmediate(() => void this.#run(order, job))
      return [accepted]
    }
    if (refusal !== null && !existsSync(files.accepted)) throw refusal
    this.#remove(order.job)
    return [
      accepted,
      existsSync(files.result) ? { type: 'ended', job: order.job } : { type: 'state', job: order.job, state: 'interrupted' },
    ]
  }

  async #run(order: JobOrder, job: Job): Promise<void> {
    const { run, tell } = this.#options
    tell({ type: 'state', job: order.job, state: 'running' })
    const ended = new AbortController()
    // The job ends with its lease, even if no server runs.
    if (order.lease !== undefined)
      void waitFor(Date.parse(order.lease.expiresAt), ended.signal, () => Date.now()).then(
        () => ended.signal.aborted || this.cancel(order.job),
      )
    const result = await run(order, job.control.signal, {
      wrote(events) {
        job.events = events
        tell({ type: 'wrote', job: order.job, events })
      },
      waiting(isWaiting, why) {
        job.state = isWaiting ? 'waiting' : 'running'
        tell({ type: 'state', job: order.job, state: job.state, ...(why === undefined ? {} : { why }) })
      },
      onSpent(listener) {
        for (const each of job.spent.values()) listener(each)
        job.onSpent = listener
      },
      call: (what, signal) => this.calls.make(order.job, what, signal),
      budget: (message) => tell({ type: 'budget', job: order.job, message }),
    })
    ended.abort()
    if (await this.#write(result)) {
      tell({ type: 'state', job: order.job, state: result.state })
      tell({ type: 'ended', job: order.job })
    }
    this.#remove(order.job)
  }

  /** Writes the result. Returns false if this process ends before the write succeeds. */
  async #write(result: JobResult): Promise<boolean> {
    const { data, notice } = this.#options
    for (let tries = 0; !this.#interrupted; tries++) {
      try {
        await writeJson(data.job(result.job).result, result, { mode: 0o600 })
        return true
      } catch (error) {
        if (tries === 0) notice(`The result of ${result.job} cannot be written yet: ${messageOf(error)}`)
        await pause(againMs)
      }
    }
    return false
  }

  #remove(job: string): void {
    this.#jobs.delete(job)
    if (this.#jobs.size === 0) this.#options.onRest()
  }
}
