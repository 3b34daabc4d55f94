import { messageOf, PaddockError } from '../../base/errors.ts'
import type { CallAnswer, CallWish } from '../host-process/calls.ts'
import { isEnded } from '../jobs/job.ts'
import { quotedData } from '../jobs/quoted-data.ts'
import type { Incoming } from '../leases/admission.ts'
import type { Agents } from '../store/agent-store.ts'
import type { Job, Jobs, NewJob } from '../store/job-records.ts'

/** The most ancestors of a delegated job, and the most jobs that one job may delegate. */
const [mostDepth, mostChildren] = [3, 8]

type Reply = (answer: Pick<CallAnswer, 'ok' | 'text'>) => void
type Wish = Extract<CallWish, { type: 'delegate' | 'await' }>

export interface DelegationDeps {
  readonly agents: Pick<Agents, 'get' | 'find'>
  readonly jobs: Pick<Jobs, 'get' | 'children'>
  readonly give: (job: NewJob, incoming: Incoming) => { readonly job: Job }
  /** Ends a job, which may have ended already. */
  readonly cancel: (id: string) => unknown
}

/** Jobs that agents give to each other. Host processes repeat their waiting calls whenever a server connects. */
export class Delegation {
  readonly #deps: DelegationDeps
  /** Waiting calls, keyed by the job that they wait for. */
  readonly #waiting = new Map<string, Map<string, Reply>>()

  constructor(deps: DelegationDeps) {
    this.#deps = deps
  }

  /** Delegates a job, or waits for one that was delegated before. Returns true if the caller has to wait. */
  call(parent: string, call: string, wish: Wish, reply: Reply): boolean {
    try {
      const child = wish.type === 'await' ? this.#own(parent, wish.child) : this.#given(parent, call, wish)
      if (wish.type === 'delegate' && !wish.wait) {
        reply({ ok: true, text: `The job is ${child.id}.` })
        return false
      }
      const last = this.#last(child)
      if (isEnded(last.state)) {
        reply(this.#answerOf(last))
        return false
      }
      const replies = this.#waiting.get(last.id) ?? new Map<string, Reply>()
      this.#waiting.set(last.id, replies.set(`${parent} ${call}`, reply))
      return true
    } catch (error) {
      if (!(error instanceof PaddockError)) throw error
      // The agent must not see what only its owner may know: a hint, or the pattern that refused a text.
      reply({ ok: false, text: messageOf(error) })
      return false
    }
  }

  /** Removes a call that no longer waits. */
  withdraw(parent: string, call: string): void {
    for (const replies of this.#waiting.values()) replies.delete(`${parent} ${call}`)
  }

  /** Handles the end of any job: waiting jobs get its answer; if the job is not done, the jobs that it delegated are cancelled. */
  ended(id: string): void {
    const job = this.#deps.jobs.get(id)
    if (job === null || !isEnded(job.state)) return
    const replies = this.#waiting.get(id)
    this.#waiting.delete(id)
    const next = this.#successor(job)
    if (next !== null) {
      // Jobs that waited for a lost job now wait for the one that follows it.
      if (replies !== undefined) this.#waiting.set(next.id, replies)
      return
    }
    for (const reply of replies?.values() ?? []) reply(this.#answerOf(job))
    if (job.state !== 'done') this.cancelChildren(id)
  }

  /** Cancels the jobs that a job delegated. */
  cancelChildren(id: string): void {
    for (const each of this.#deps.jobs.children(id)) {
      this.#deps.cancel(each.id)
    }
  }

  /** Cancels all descendants of a job, including those of jobs that are done. Used when a lease ends. */
  cancelBelow(id: string): void {
    for (const each of this.#deps.jobs.children(id)) {
      this.#deps.cancel(each.id)
      this.cancelBelow(each.id)
    }
  }

  #own(parent: string, id: string): Job {
    const job = this.#deps.jobs.get(id)
    if (job === null || job.parent !== parent) throw new PaddockError('NOT_FOUND', `You gave no job ${id.slice(0, 64)}.`)
    return job
  }

  #given(parent: string, call: string, { agent: name, prompt, limits }: Extract<Wish, { type: 'delegate' }>): Job {
    const { agents, jobs, give } = this.#deps
    const above = this.#above(parent)
    const by = above[0]?.agent == null ? null : agents.get(above[0].agent)
    if (by === null || !(by.manifest.delegates ?? []).includes(name))
      throw new PaddockError('NOT_ALLOWED', `There is no agent ${name.slice(0, 64)} for you.`)
    const agent = agents.find(name)
    if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${name} is archived.`)
    if (above.some((each) => each.agent === agent.id))
      throw new PaddockError('NOT_ALLOWED', `${name} waits for this job itself, so it cannot work for it.`)
    if (above.length > mostDepth) throw new PaddockError('NOT_ALLOWED', `Jobs are delegated over ${mostDepth} steps at most.`)
    const key = `${parent} ${call}`
    const children = jobs.children(parent)
    const isAgain = children.some((each) => each.idempotencyKey === key)
    if (!isAgain && children.length >= mostChildren)
      throw new PaddockError('NOT_ALLOWED', `One job delegates at most ${mostChildren} others.`)
    const lentBy = above.find((each) => each.lease !== null)?.lease ?? null
    const wish = {
      agent: agent.id,
      labels: [],
      prompt,
      requestedBy: `agent ${by.name}`,
      continues: null,
      conversation: null,
      idempotencyKey: key,
      parent,
      limits: limits.map((each) => ({ ...each, budget: `${each.budget} of ${by.name}` })),
    }
    // The topics of a lease also apply to jobs that its jobs delegate.
    return give(wish, { lentBy }).job
  }

  /** Returns the job itself and its ancestors. */
  #above(id: string): readonly Job[] {
    const found: Job[] = []
    for (let at: string | null = id; at !== null && found.length <= mostDepth + 1; ) {
      const job: Job | null = this.#deps.jobs.get(at)
      if (job === null) break
      found.push(job)
      at = job.parent
    }
    return found
  }

  #last(job: Job): Job {
    const next = this.#successor(job)
    return next === null ? job : this.#last(next)
  }

  #successor(job: Job): Job | null {
    if (job.parent === null || job.state !== 'interrupted') return null
    const children = this.#deps.jobs.children(job.parent)
    return children.find((each) => each.continues === job.id && each.attempt > job.attempt) ?? null
  }

  #answerOf(job: Job): Pick<CallAnswer, 'ok' | 'text'> {
    const name = (job.agent === null ? null : this.#deps.agents.get(job.agent)?.name) ?? 'another agent'
    if (job.state === 'done') return { ok: true, text: quotedData(`${name}, which did the job ${job.id}`, job.result?.text ?? '') }
    const why = job.result?.outcome.message ?? job.problem
    return { ok: false, text: `The job ${job.id} of ${name} is ${job.state}${why === null ? '' : `: ${why}`}.` }
  }
}
