import { existsSync } from 'node:fs'
import type { AuditSink } from '../audit/event.ts'
import { PaddockError } from '../base/errors.ts'
import { type FleetTerminals, fleetTerminals } from './agents/fleet-terminals.ts'
import type { Hosts } from './agents/host-link.ts'
import type { FollowDeps } from './agents/job-follower.ts'
import { finishRemovals } from './agents/removed-agents.ts'
import { Worker } from './agents/worker.ts'
import { type Alarm, setAlarm } from './alarm.ts'
import { spentOf } from './budgets/budget-spent.ts'
import type { Budgets } from './budgets/budgets.ts'
import type { FleetData } from './data-directory.ts'
import { Delegation } from './delegation/delegation.ts'
import { Questions } from './inbox/fleet-questions.ts'
import { isEnded } from './jobs/job.ts'
import { type Admission, admissionTo, type Incoming } from './leases/admission.ts'
import { runLeases } from './leases/lease-runner.ts'
import type { Agent } from './store/agent-store.ts'
import type { Store } from './store/fleet-store.ts'
import type { Job, NewJob } from './store/job-records.ts'
import type { Lease } from './store/lease-store.ts'

export interface WorkOptions {
  readonly data: FleetData
  readonly hosts: Hosts
  readonly budgets: Budgets
  readonly audit: AuditSink
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
}

/** The work of a fleet: the workers of its agents, the jobs that wait for them, and what their jobs ask for. */
export interface Work extends Disposable {
  readonly workers: ReadonlyMap<string, Worker>
  /** Returns the worker of an agent, which is made if there is none yet. */
  worker(agent: string): Worker
  readonly questions: Questions
  readonly terminals: FleetTerminals
  readonly admission: Admission
  /** Ends leases. */
  readonly leases: Alarm
  /**
   * Adds a job or a message to the queue.
   * @throws PaddockError TOPIC_REFUSED; CONFLICT for a lease that has ended or is used up
   */
  give(job: NewJob, incoming?: Incoming): { readonly job: Job; readonly isNew: boolean }
  /** Returns a job. @throws PaddockError NOT_FOUND */
  find(id: string): Job
  /** Ends a job: immediately if it is queued, otherwise once its cell is gone. @throws PaddockError NOT_FOUND, CONFLICT if it has ended */
  cancel(id: string): Job
  /** Asks for the end of a job that runs, but not of those that it delegated. */
  interrupt(job: Job): void
  /** Ends an agent's leases and jobs, then its host process. */
  quiet(agent: Agent): Promise<void>
  /** Calls the listener when there may be more events of a job, or when it has ended. Returns a function that removes the listener. */
  onProgress(job: string, listener: () => void): () => void
  /** Calls the listener with each lease that ends. Returns a function that removes the listener. */
  onLeaseEnd(listener: (lease: Lease) => void): () => void
  /** Stops taking jobs from the queue, because the server ends. */
  stopTaking(): void
}

/** Follows the running jobs, and starts to work on the queue. */
export async function startWork(store: Store, { data, hosts, budgets, audit, warn }: WorkOptions): Promise<Work> {
  const { agents, jobs, events, leases, episodes, database } = store
  const workers = new Map<string, Worker>()
  const progress = listeners<string, void>()
  const leaseEnds = listeners<'any', Lease>()
  let stopping = false
  const isHeld = (): boolean => stopping || store.pause.now()?.jobs === true
  const tell = (event: Parameters<typeof events.add>[0]): void => database.transaction(() => events.add(event))

  const questions = new Questions()
  const give: Work['give'] = (job, incoming = {}) => {
    work.admission.admit(job, incoming)
    return jobs.put(job)
  }
  /** Ends a job, which may have ended already; then returns null. */
  const end = (id: string): Job | null => {
    const job = jobs.cancel(id)
    if (job?.state === 'cancelled') ended(id)
    else if (job !== null) {
      interrupt(job)
      delegation.cancelChildren(id)
    }
    return job
  }
  const interrupt: Work['interrupt'] = ({ id, agent }) => void (agent !== null && workers.get(agent)?.cancel(id))
  const delegation = new Delegation({ agents, jobs, give, cancel: end })
  const ended = (id: string): void => {
    progress.tell(id)
    questions.ended(id)
    const job = jobs.get(id)
    const parent = job?.parent == null ? null : jobs.get(job.parent)
    // Report the use before the answer, because the parent continues after the answer.
    if (job !== null && parent?.agent != null) workers.get(parent.agent)?.spent(parent.id, id, spentOf(job.result))
    delegation.ended(id)
  }
  /** Handles requests from jobs to humans and to other jobs. */
  const between: Omit<FollowDeps, 'data' | 'agents' | 'jobs' | 'budgets' | 'onBudget'> = {
    onProgress: progress.tell,
    onCall(frame, reply) {
      const { job, call, what } = frame
      if (what.type === 'delegate' || what.type === 'await') return delegation.call(job, call, what, reply) ? 'waits for a job' : 'answered'
      const agent = jobs.get(job)?.agent
      questions.add(frame, (agent == null ? null : agents.get(agent)?.name) ?? '', reply)
      return 'waits'
    },
    onWithdrawn(job, call) {
      questions.withdraw(job, call)
      delegation.withdraw(job, call)
    },
    onEnded: ended,
    spentBy: (job) =>
      jobs
        .children(job)
        .filter((each) => isEnded(each.state))
        .map((each) => ({ child: each.id, used: spentOf(each.result) })),
  }
  const worker = (id: string): Worker => {
    const known = workers.get(id)
    if (known !== undefined) return known
    const made = new Worker(id, {
      ...{ agents, jobs, hosts, budgets, episodes, leases, isHeld, warn },
      data: data.agent(id),
      ...between,
      onSession: (session, why) =>
        tell({
          kind: why === null ? 'session.opened' : 'session.ended',
          agent: id,
          data: { id: session, ...(why === null ? {} : { why }) },
        }),
      onBudget: (job, message) => tell({ kind: 'job.budget', agent: id, job, data: { message } }),
    })
    workers.set(id, made)
    return made
  }
  /** Offers queued work to suitable agents. */
  const offer = (): null => {
    if (isHeld()) return null
    const wanted = jobs.wanted()
    for (const id of wanted.any ? everyAgent(store) : wanted.agents) worker(id).wake()
    return null
  }
  const terminals = fleetTerminals({ agents, hosts, worker, workers: () => workers })
  const now = (): number => Date.now()
  const work: Work = {
    workers,
    worker,
    questions,
    terminals,
    admission: admissionTo({ database, agents, jobs, leases, events, audit, now }),
    leases: runLeases({
      ...{ leases, jobs, events, cancel: end, warn, now },
      cancelBelow: (id) => delegation.cancelBelow(id),
      onEnd(lease) {
        terminals.closeLease(lease.id)
        leaseEnds.tell('any', lease)
      },
    }),
    give,
    find(id) {
      const job = jobs.get(id)
      if (job === null) throw new PaddockError('NOT_FOUND', `There is no job ${id}.`, { hint: 'Run: paddock job list' })
      return job
    },
    cancel(id) {
      const job = end(id)
      if (job === null) throw new PaddockError('CONFLICT', `The job ${id} has ended: ${work.find(id).state}.`)
      return job
    },
    interrupt,
    async quiet(agent) {
      agents.want(agent.id, 'stopped')
      for (const each of leases.list()) if (each.agent === agent.id && each.endedAt === null) leases.revoke(each.id)
      work.leases.look()
      const all = { before: null, limit: Number.MAX_SAFE_INTEGER }
      for (const state of ['queued', 'running', 'waiting'] as const)
        for (const { id } of jobs.list({ agent: agent.id, state }, all)) end(id)
      const made = worker(agent.id)
      await made.idle()
      await made.end()
      workers.delete(agent.id)
    },
    onProgress: progress.add,
    onLeaseEnd: (listener) => leaseEnds.add('any', listener),
    stopTaking() {
      stopping = true
    },
    [Symbol.dispose]() {
      offers[Symbol.dispose]()
      work.leases[Symbol.dispose]()
      for (const each of workers.values()) each.close()
    },
  }
  await finishRemovals(data, agents, warn)
  for (const each of jobs.orphans()) jobs.cancel(each.id)
  const inHand = Map.groupBy(jobs.inHand(), (job) => job.agent ?? '')
  // A host process without a job may have open terminals.
  const running = everyAgent(store).filter((id) => existsSync(data.agent(id).hostFile))
  await Promise.all([...new Set([...inHand.keys(), ...running])].map((id) => worker(id).adopt(inHand.get(id) ?? [])))
  const offers = setAlarm({ look: offer, failed: (error) => warn(`the queue could not be read: ${error}`, {}), now, log: events })
  return work
}

/** Returns the ids of all agents that are not archived. */
function everyAgent({ agents }: Pick<Store, 'agents'>): readonly string[] {
  return agents.list({ after: null, limit: Number.MAX_SAFE_INTEGER, archived: false }).map((each) => each.id)
}

/** Listeners for what happens to a thing with a key. */
function listeners<Key, What>() {
  const all = new Map<Key, Set<(what: What) => void>>()
  return {
    tell(key: Key, what: What): void {
      for (const each of [...(all.get(key) ?? [])]) each(what)
    },
    add(key: Key, listener: (what: What) => void): () => void {
      const set = all.get(key) ?? new Set()
      all.set(key, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0) all.delete(key)
      }
    },
  }
}
