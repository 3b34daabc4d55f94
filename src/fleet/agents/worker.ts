import { messageOf, PaddockError } from '../../base/errors.ts'
import { type Alarm, setAlarm } from '../alarm.ts'
import type { Spent } from '../budgets/budget-spent.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { SessionStatus } from '../host-process/host-protocol.ts'
import { leaseProblem } from '../leases/lease-problem.ts'
import type { Agent } from '../store/agent-store.ts'
import type { Job } from '../store/job-records.ts'
import type { Lease, Leases } from '../store/lease-store.ts'
import { AgentSessions, type SessionOrder } from './agent-sessions.ts'
import { cannotGoOn } from './go-on.ts'
import { HostConnection } from './host-connection.ts'
import type { HostLink, Hosts } from './host-link.ts'
import { type FollowDeps, JobFollower } from './job-follower.ts'
import { JobsInHand } from './jobs-in-hand.ts'
import { Resting } from './jobs-without-slot.ts'
import { type OrderDeps, runOrder } from './run-order.ts'

export interface WorkerDeps extends FollowDeps, Omit<OrderDeps, 'jobs'> {
  readonly budgets: Budgets
  readonly hosts: Hosts
  readonly leases: Pick<Leases, 'get'>
  /** Returns whether no queued job may start; running jobs continue and are followed. */
  readonly isHeld: () => boolean
  /** Reports a problem to the operator. */
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  /** Called with null when a terminal opens, and with the reason when a terminal ends. */
  readonly onSession: (session: string, ended: string | null) => void
}

/** Milliseconds before another attempt to start a host process: the first pause and the longest pause. */
const [firstPauseMs, longestPauseMs] = [1_000, 60_000]
/** Milliseconds after the renewal of a budget. */
const renewedMs = 1_000

const ofOtherVersion =
  'Its host process belongs to another version of Paddock and still has a job or a terminal. New ones start when that has ended.'

/**
 * Runs the jobs of one agent: takes them from the queue as slots become free, gives them to the agent's host process, and records how
 * they ended. Its state need not survive: a new worker learns everything from the store, the host process and the files of the jobs.
 */
export class Worker {
  readonly #id: string
  readonly #deps: WorkerDeps
  readonly #inHand = new JobsInHand()
  readonly #resting = new Resting()
  readonly #host: HostConnection
  readonly #follower: JobFollower
  readonly #alarm: Alarm
  /** The agent's terminals. */
  readonly sessions: AgentSessions
  #pauseMs = firstPauseMs
  /** When the next attempt to start a host process is due, in milliseconds since the epoch. */
  #pausedUntil: number | null = null
  #closed = false
  #problem: string | null = null
  /** The budget that was used up when the worker last wanted to take a job, or null. */
  usedUp: string | null = null

  constructor(id: string, deps: WorkerDeps) {
    this.#id = id
    this.#deps = deps
    this.sessions = new AgentSessions(deps.onSession)
    const { sessions } = this
    const [inHand, resting] = [this.#inHand, this.#resting]
    const warn = (message: string): void => deps.warn(message, { agent: id })
    this.#follower = new JobFollower(deps, {
      ...{ inHand, resting, sessions },
      send: (frame) => this.#host.send(frame),
      wake: () => this.wake(),
      run: (link, job) => this.#run(link, job),
      accepted: () => {
        this.#problem = null
        this.#pauseMs = firstPauseMs
      },
      refused: (job, why) => this.#putOff(job, why),
    })
    this.#host = new HostConnection({
      agent: id,
      hosts: deps.hosts,
      onConnected: (link) => this.#follower.connected(link),
      onFrame: (frame) => this.#follower.heard(frame),
      onDisconnected: () => {
        sessions.disconnected()
        this.wake()
      },
      isNeeded: () => inHand.given.length > 0 || sessions.size > 0,
      onLost: () => this.#follower.lost(),
      warn,
    })
    this.#alarm = setAlarm({ look: () => this.#look(), failed: warn, now: () => Date.now() })
  }

  /** The number of jobs that are running or waiting. */
  get busy(): number {
    return this.#inHand.size
  }

  /** Whether the worker would take a job from the queue now. */
  get isFree(): boolean {
    const agent = this.#ready()
    return agent !== null && this.#deps.budgets.of(agent).usedUp === null
  }

  /** The reason why no job can be started, or null. A sentence. */
  get problem(): string | null {
    return this.#problem ?? (this.#waitsForOtherVersion ? ofOtherVersion : null)
  }

  /** Follows the jobs that an earlier server started, and finds open terminals. Called when a server starts. */
  async adopt(jobs: readonly Job[]): Promise<void> {
    for (const each of jobs) this.#inHand.add(each, true)
    if ((await this.#host.connect()) === null) await this.#follower.lost()
  }

  /** Takes jobs from the queue soon, as many as there are slots. */
  wake(): void {
    this.#alarm.ring()
  }

  /**
   * Opens a terminal, even if the agent is stopped, so that a human can fix things.
   * @throws PaddockError if the host process refused
   */
  async openSession(agent: Agent, order: SessionOrder): Promise<SessionStatus> {
    return this.sessions.open(await this.#started(agent), agent, order)
  }

  /** Asks for a terminal to end. */
  closeSession(session: string): void {
    this.#host.send({ type: 'close', session })
  }

  /** Reports that a job delegated by one of this agent's jobs has ended. */
  spent(job: string, child: string, used: Spent): void {
    if (this.#inHand.has(job)) this.#host.send({ type: 'spent', job, child, used })
  }

  /** Asks the host process to end this job. The end is recorded like any other. */
  cancel(job: string): void {
    if (this.#inHand.has(job)) this.#host.send({ type: 'cancel', job })
  }

  /** Resolves as soon as no job runs or waits. */
  idle(): Promise<void> {
    return this.#inHand.idle()
  }

  /** Ends the host process and waits until its connection is closed. The worker does nothing after that. For agents without jobs. */
  async end(): Promise<void> {
    this.#alarm[Symbol.dispose]()
    await this.#host.end()
    this.close()
  }

  /** Releases everything; the host process continues to run. */
  close(): void {
    this.#closed = true
    this.#alarm[Symbol.dispose]()
    this.#host.close()
  }

  /** Takes jobs, and returns when to try again if something is in the way that ends by itself. */
  #look(): number | null {
    const now = Date.now()
    // A longer pause than the longest one means that the clock was set back.
    if (this.#pausedUntil !== null && (this.#pausedUntil <= now || this.#pausedUntil > now + longestPauseMs)) this.#pausedUntil = null
    const agent = this.#deps.agents.get(this.#id)
    if (agent !== null)
      this.#resting.resume(
        (job) => this.#inHand.has(job),
        () => this.#hasPlace(agent),
      )
    // Jobs are given one after the other, because the first may show that no host process starts.
    for (let ready = this.#ready(); ready !== null && this.#inHand.areGiven; ready = this.#ready()) {
      const { usedUp } = this.#deps.budgets.of(ready)
      this.usedUp = usedUp === null ? null : `${usedUp.message} until ${new Date(usedUp.until).toISOString()}`
      if (usedUp !== null) return usedUp.until + renewedMs
      if (!this.#takeOne(ready)) break
    }
    return this.#pausedUntil
  }

  /** Returns the agent if another job may start now, else null. */
  #ready(): Agent | null {
    const agent = this.#deps.agents.get(this.#id)
    const may =
      agent !== null &&
      agent.wanted === 'started' &&
      agent.archivedAt === null &&
      agent.isApproved &&
      this.#pausedUntil === null &&
      !this.#closed &&
      !this.#waitsForOtherVersion &&
      !this.#deps.isHeld()
    return may && this.#hasPlace(agent) ? agent : null
  }

  #hasPlace({ manifest }: Agent): boolean {
    return this.#inHand.size - this.#resting.size < (manifest.parallel ?? 1)
  }

  /** Takes the next job from the queue. Returns false if there is none. */
  #takeOne(agent: Agent): boolean {
    const { labels = [], agent: adapter } = agent.manifest
    const { slots, leases } = this.#inHand
    const job = this.#deps.jobs.claim({ id: agent.id, labels, adapter }, slots, leases)
    if (job === null) return false
    const why = cannotGoOn(job, agent.manifest) ?? (job.lease === null ? null : leaseProblem(this.#lease(job), agent, Date.now()))
    if (why !== null) {
      this.#deps.jobs.end(job.id, { state: 'cancelled', problem: why })
      this.#follower.ended(job.id)
      return true
    }
    this.#inHand.add(job, false)
    void this.#give(agent, job.id)
    return true
  }

  /** Gives a job to the host process, or back to the queue. */
  async #give(agent: Agent, job: string): Promise<void> {
    try {
      const link = await this.#started(agent)
      this.#inHand.give(job)
      this.#run(link, job)
      this.wake()
    } catch (error) {
      // Nothing was started: the host process was never reached.
      if (!this.#closed) this.#putOff(job, messageOf(error))
    }
  }

  #run(link: HostLink, id: string): void {
    const [job, agent] = [this.#deps.jobs.get(id), this.#deps.agents.get(this.#id)]
    if (job === null || agent === null) return
    link.send(runOrder(agent, job, this.#lease(job), this.#deps))
    link.send({ type: 'tail', job: id })
    // Cancelled while its host process was starting.
    if (job.cancelAsked) link.send({ type: 'cancel', job: id })
  }

  #lease({ lease }: Job): Lease | null {
    return lease === null ? null : this.#deps.leases.get(lease)
  }

  /** Whether the host process belongs to another version of Paddock and still runs jobs of this worker. */
  get #waitsForOtherVersion(): boolean {
    return this.#host.isOfOtherVersion && this.#inHand.given.length > 0
  }

  /** @throws PaddockError BUSY if the host process belongs to another version of Paddock and has jobs or terminals */
  async #started(agent: Agent): Promise<HostLink> {
    // It may have become idle; it does not tell this version about terminals. `start` asks it, and replaces it if so.
    if (this.#host.isOfOtherVersion && !this.#waitsForOtherVersion) this.#host.drop()
    const link = await this.#host.start(agent)
    if (this.#host.isOfOtherVersion) throw new PaddockError('BUSY', ofOtherVersion)
    return link
  }

  /** Returns a job that never started to the queue, with a pause before the next attempt. */
  #putOff(id: string, problem: string): void {
    this.#problem = problem
    this.#deps.warn(`an agent cannot work: ${problem}`, { agent: this.#id })
    this.#pausedUntil = Date.now() + this.#pauseMs
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2)
    this.#deps.jobs.giveBack(id, this.#pausedUntil)
    this.#follower.drop(id)
  }
}
