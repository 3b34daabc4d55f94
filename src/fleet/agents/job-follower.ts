import type { Spent } from '../budgets/budget-spent.ts'
import type { CallAnswer, CallFrame } from '../host-process/calls.ts'
import type { FromHost } from '../host-process/host-protocol.ts'
import type { AgentSessions } from './agent-sessions.ts'
import type { HostLink } from './host-link.ts'
import { type EndsDeps, interrupt, settle } from './job-ends.ts'
import { wasAccepted } from './job-files.ts'
import type { JobsInHand } from './jobs-in-hand.ts'
import type { Resting } from './jobs-without-slot.ts'

/** What others do about the jobs of an agent. */
export interface FollowDeps extends EndsDeps {
  /** Called when the transcript of a job has grown. */
  readonly onProgress: (job: string) => void
  /** Called with one sentence when a budget is nearly used up, or used up. */
  readonly onBudget: (job: string, message: string) => void
  /** Called when a job makes a request, once per connection. `reply` sends the answer. */
  readonly onCall: (frame: CallFrame, reply: Reply) => 'waits for a job' | 'waits' | 'answered'
  /** Called when a job no longer waits for an answer to its request. */
  readonly onWithdrawn: (job: string, call: string) => void
  /** Called when a job has ended, or was lost. */
  readonly onEnded: (job: string) => void
  /** Returns the use of each delegated job of this job that has ended. */
  readonly spentBy: (job: string) => readonly { readonly child: string; readonly used: Spent }[]
}

/** The worker whose jobs are followed. */
export interface Followed {
  readonly inHand: JobsInHand
  readonly resting: Resting
  readonly sessions: AgentSessions
  readonly send: HostLink['send']
  /** Takes more jobs soon, because a slot may be free. */
  readonly wake: () => void
  /** Gives a job to the host process. */
  readonly run: (link: HostLink, job: string) => void
  /** Called when the host process accepts a job. */
  readonly accepted: () => void
  /** Called when the host process refuses a job. Nothing was started. */
  readonly refused: (job: string, why: string) => void
}

export type Reply = (answer: Pick<CallAnswer, 'ok' | 'text'>) => void

/** Follows the jobs that the host process of an agent has: records their states and ends, and passes on their requests. */
export class JobFollower {
  readonly #deps: FollowDeps
  readonly #of: Followed

  constructor(deps: FollowDeps, of: Followed) {
    this.#deps = deps
    this.#of = of
  }

  /** Sends a host process all state that it is missing. */
  async connected(link: HostLink): Promise<void> {
    const { inHand, resting, sessions, run } = this.#of
    const { jobs, data, spentBy } = this.#deps
    sessions.connected(link.hello.sessions)
    resting.clear()
    const known = new Map(link.hello.jobs.map((each) => [each.job, each.state]))
    for (const id of inHand.given) {
      if (await this.#settled(id)) continue
      const job = jobs.get(id)
      if (job === null || job.slot === null) continue
      const state = known.get(id)
      if (state !== undefined) {
        // The state may have changed while no server was listening.
        if (state !== job.state && (state === 'running' || state === 'waiting')) jobs.note(id, state)
        link.send({ type: 'tail', job: id })
        for (const each of spentBy(id)) link.send({ type: 'spent', job: id, ...each })
        if (job.cancelAsked) link.send({ type: 'cancel', job: id })
      } else if (wasAccepted(data.job(id))) await this.#interrupted(id)
      else run(link, id)
    }
  }

  heard(frame: FromHost): void | Promise<void> {
    const { inHand, resting, sessions, accepted, refused } = this.#of
    const { jobs, onProgress, onWithdrawn, onBudget } = this.#deps
    switch (frame.type) {
      case 'accepted':
        return accepted()
      case 'wrote':
        return inHand.has(frame.job) ? onProgress(frame.job) : undefined
      case 'state':
        if (frame.state === 'running' || frame.state === 'waiting') jobs.note(frame.job, frame.state, frame.why)
        return frame.state === 'interrupted' ? this.#interrupted(frame.job) : undefined
      case 'call':
        return this.#called(frame)
      case 'withdrawn':
        // A job that stops waiting continues, even above the limit if another job has started meanwhile.
        resting.rested(frame.job, frame.call)
        return onWithdrawn(frame.job, frame.call)
      case 'session':
      case 'unopened':
      case 'closed':
        return sessions.heard(frame)
      case 'budget':
        return onBudget(frame.job, frame.message)
      case 'refused':
        return inHand.has(frame.job) ? refused(frame.job, frame.message) : undefined
      case 'ended':
        return this.#settled(frame.job).then(() => undefined)
    }
  }

  /** Handles the loss of the host process: jobs that it finished are done, jobs that it never started are requeued, the rest are lost. */
  async lost(): Promise<void> {
    const { inHand, sessions } = this.#of
    const { jobs, data } = this.#deps
    sessions.connected(null)
    for (const id of inHand.given) {
      if (await this.#settled(id)) continue
      if (wasAccepted(data.job(id))) await this.#interrupted(id)
      else {
        jobs.giveBack(id)
        this.drop(id)
      }
    }
  }

  /** Forgets a job, whose slot is free now. */
  drop(job: string): void {
    this.#of.inHand.drop(job)
    this.#of.resting.drop(job)
    this.#of.wake()
  }

  ended(id: string): void {
    this.drop(id)
    this.#deps.onEnded(id)
  }

  /** Handles a request of a job. A job that waits for another agent frees its slot, and continues once a slot is free. */
  #called(frame: CallFrame): void {
    const { inHand, resting, send, wake } = this.#of
    const { job, call } = frame
    let isResting = false
    const reply: Reply = (given) => {
      const answer = (): void => send({ type: 'answer', job, call, ...given })
      if (!isResting) return answer()
      resting.answered(job, call, answer)
      wake()
    }
    if (this.#deps.onCall(frame, reply) !== 'waits for a job' || !inHand.has(job)) return
    isResting = true
    resting.rest(job, call)
    wake()
  }

  /** Records the end of a job that has a result. Returns false if there is no result yet. */
  async #settled(id: string): Promise<boolean> {
    if (!(await settle(id, this.#deps))) return false
    this.ended(id)
    return true
  }

  /** Handles a job whose host process ended before the job did. */
  async #interrupted(id: string): Promise<void> {
    if (!this.#of.inHand.has(id)) return
    await interrupt(id, this.#deps)
    this.ended(id)
  }
}
