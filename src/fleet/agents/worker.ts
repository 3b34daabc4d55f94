import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, PaddockError } from '../../errors.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { Spent } from '../budgets/spent.ts'
import type { AgentData } from '../data-directory.ts'
import type { CallAnswer, CallFrame } from '../host-process/calls.ts'
import { type FromHost, protocolVersion, type SessionStatus } from '../host-process/protocol.ts'
import { memoryText } from '../jobs/memory-text.ts'
import { leaseAllowances, leaseProblem } from '../leases/lease-problem.ts'
import type { Job, JobQueue } from '../queue/queue.ts'
import type { Agent, Agents } from '../store/agents.ts'
import type { Episodes } from '../store/episodes.ts'
import type { Lease, Leases } from '../store/leases.ts'
import { AgentSessions, type SessionOrder } from './agent-sessions.ts'
import { cannotGoOn } from './go-on.ts'
import type { HostLink, Hosts } from './host-link.ts'
import { interrupt, settle } from './job-ends.ts'
import { wasAccepted } from './job-files.ts'
import { worktreeName } from './worktree-name.ts'

export interface WorkerDeps {
  readonly agents: Agents
  readonly queue: JobQueue
  readonly hosts: Hosts
  readonly data: AgentData
  readonly budgets: Budgets
  readonly episodes: Pick<Episodes, 'list'>
  readonly leases: Pick<Leases, 'get'>
  /** Returns whether no queued job may start; running jobs continue and are followed. */
  readonly isHeld: () => boolean
  /** Reports a problem to the operator. */
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  /** Called when the transcript of a job has grown, and when the job has ended. */
  readonly onProgress: (job: string) => void
  /** Called with one sentence when a budget is nearly used up, or used up. */
  readonly onBudget: (job: string, message: string) => void
  /** Called when a job was added to the queue. */
  readonly onQueued: () => void
  /** Called when a job makes a request, once per connection. `reply` sends the answer. */
  readonly onCall: (frame: CallFrame, reply: Reply) => Promise<'waits for a job' | 'waits' | 'answered'>
  /** Called when a job no longer waits for an answer to its request. */
  readonly onWithdrawn: (job: string, call: string) => void
  /** Called with null when a terminal opens, and with the reason when a terminal ends. */
  readonly onSession: (session: string, ended: string | null) => void
  /** Called when a job has ended, or was lost. */
  readonly onEnded: (job: string) => Promise<void>
  /** Returns the use of each delegated job of this job that has ended. */
  readonly spentBy: (job: string) => Promise<readonly { readonly child: string; readonly used: Spent }[]>
}

type Reply = (answer: Pick<CallAnswer, 'ok' | 'text'>) => void

/** An answer for a job that waits for a free slot. */
interface Resuming {
  readonly job: string
  readonly call: string
  readonly reply: () => void
}

/** The state of one job of an agent. */
interface InHand {
  readonly slot: number
  /** The id of the job's lease, or null. */
  readonly lease: string | null
  /** False until the worker has a host process for a job that it took from the queue. */
  isGiven: boolean
  events: number
}

/** The longest time before a used-up budget is checked again, in milliseconds, because the system clock may be changed. */
const longestRestMs = 3_600_000

/** Milliseconds before another attempt to start a host process: the first pause and the longest pause. */
const [firstPauseMs, longestPauseMs] = [1_000, 60_000]

const ofOtherVersion =
  'Its host process belongs to another version of Paddock and still has a job or a terminal. New ones start when that has ended.'

/**
 * Runs the jobs of one agent: takes them from the queue as slots become free, gives them to the agent's host process, and records how
 * they ended. Its state need not survive: a new worker learns everything from the queue, the host process and the files of the jobs.
 */
export class Worker {
  readonly #id: string
  readonly #deps: WorkerDeps
  readonly #jobs = new Map<string, InHand>()
  #link: HostLink | null = null
  #linking: Promise<HostLink | null> | null = null
  #pumping: Promise<void> | null = null
  #following: Promise<void> | null = null
  /** Jobs that give up their slot while they wait for other agents, with their calls; and answers for jobs that need a slot again. */
  readonly #resting = new Map<string, Set<string>>()
  readonly #resuming: Resuming[] = []
  readonly #whenIdle: (() => void)[] = []
  /** The agent's terminals. */
  readonly sessions: AgentSessions
  #again = false
  #pauseMs = firstPauseMs
  #timer: NodeJS.Timeout | undefined
  /** The timer for the renewal of a budget. */
  #rest: NodeJS.Timeout | undefined
  #closed = false
  #ending = false
  #problem: string | null = null
  /** The budget that was used up when the worker last checked the queue, or null. */
  usedUp: string | null = null

  constructor(id: string, deps: WorkerDeps) {
    this.#id = id
    this.#deps = deps
    this.sessions = new AgentSessions(deps.onSession)
  }

  /** The number of jobs that are running or waiting. */
  get busy(): number {
    return this.#jobs.size
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

  /** Returns the number of events in the transcript of a running job so far. */
  events(job: string): number {
    return this.#jobs.get(job)?.events ?? 0
  }

  /** Follows the jobs that an earlier server started, and finds open terminals. Called when a server starts. */
  async adopt(jobs: readonly Job[]): Promise<void> {
    for (const each of jobs) this.#jobs.set(each.id, { slot: each.slot ?? 1, lease: each.lease, isGiven: true, events: 0 })
    if ((await this.#connect(this.#connectRunning)) === null) await this.#lost()
  }

  /** Takes as many jobs as possible from the queue. */
  pump(): Promise<void> {
    this.#again = true
    this.#pumping ??= this.#pumpAll().finally(() => {
      this.#pumping = null
    })
    return this.#pumping
  }

  /**
   * Opens a terminal, even if the agent is stopped, so that a human can fix things.
   * @throws PaddockError if the host process refused
   */
  async openSession(agent: Agent, order: SessionOrder): Promise<SessionStatus> {
    return this.sessions.open(await this.#linked(agent), agent, order)
  }

  /** Asks for a terminal to end. */
  closeSession(session: string): void {
    this.#link?.send({ type: 'close', session })
  }

  /** Reports that a job delegated by one of this agent's jobs has ended. */
  spent(job: string, child: string, used: Spent): void {
    if (this.#jobs.has(job)) this.#link?.send({ type: 'spent', job, child, used })
  }

  /** Asks the host process to end this job. The end is recorded like any other. */
  cancel(job: string): void {
    if (this.#jobs.has(job)) this.#link?.send({ type: 'cancel', job })
  }

  /** Resolves as soon as no job runs or waits. */
  idle(): Promise<void> {
    return this.#jobs.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  /** Ends the host process and waits until its connection is closed. The worker does nothing after that. For agents without jobs. */
  async end(): Promise<void> {
    this.#ending = true
    if (this.#link === null) await this.#connect(this.#connectRunning)
    const following = this.#following
    this.#link?.send({ type: 'end', now: true })
    await following
    this.close()
  }

  /** Releases everything; the host process continues to run. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#rest)
    this.#link?.[Symbol.dispose]()
  }

  async #pumpAll(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false
      this.#resume()
      for (let agent = this.#ready(); agent !== null; agent = this.#ready()) {
        if (!(await this.#takeOne(agent))) break
      }
    }
  }

  /** Returns the agent if another job may start now, else null. */
  #ready(): Agent | null {
    const agent = this.#deps.agents.get(this.#id)
    const may =
      agent !== null &&
      agent.wanted === 'started' &&
      agent.archivedAt === null &&
      agent.isApproved &&
      this.#timer === undefined &&
      !this.#closed &&
      !this.#ending &&
      !this.#waitsForOtherVersion &&
      !this.#deps.isHeld()
    return may && this.#hasPlace(agent) ? agent : null
  }

  #hasPlace({ manifest }: Agent): boolean {
    return this.#jobs.size - this.#resting.size < (manifest.parallel ?? 1)
  }

  /** Handles a request of a job. A job that waits for another agent frees its slot, and continues once a slot is free. */
  async #called(frame: CallFrame): Promise<void> {
    const { job, call } = frame
    const answer: Reply = (given) => this.#link?.send({ type: 'answer', job, call, ...given })
    let [isResting, isAnswered] = [false, false]
    const waits = await this.#deps.onCall(frame, (given) => {
      isAnswered = true
      if (!isResting) return answer(given)
      this.#resuming.push({ job, call, reply: () => answer(given) })
      void this.pump()
    })
    if (waits !== 'waits for a job' || isAnswered || !this.#jobs.has(job)) return
    isResting = true
    this.#resting.set(job, (this.#resting.get(job) ?? new Set()).add(call))
    void this.pump()
  }

  #resume(): void {
    const agent = this.#deps.agents.get(this.#id)
    while (agent !== null && this.#resuming.length > 0) {
      const { job, call, reply } = this.#resuming[0] as Resuming
      if (this.#jobs.has(job)) {
        const calls = this.#resting.get(job)
        if (calls?.size === 1 && calls.has(call) && !this.#hasPlace(agent)) return
        this.#rested(job, call)
        reply()
      }
      this.#resuming.shift()
    }
  }

  /** Ends the wait for this call. A job without other waiting calls occupies a slot again. */
  #rested(job: string, call: string): void {
    const calls = this.#resting.get(job)
    calls?.delete(call)
    if (calls?.size === 0) this.#resting.delete(job)
  }

  async #takeOne(agent: Agent): Promise<boolean> {
    if (!this.#mayUse(agent)) return false
    const { labels = [], agent: adapter } = agent.manifest
    const used = [...this.#jobs.values()]
    const slots = used.map((each) => each.slot)
    const leases = used.flatMap((each) => each.lease ?? [])
    const job = await this.#deps.queue.claim({ id: agent.id, labels, adapter }, slots, leases)
    if (job === null) return false
    const why = cannotGoOn(job, agent.manifest) ?? (job.lease === null ? null : leaseProblem(this.#lease(job), agent, Date.now()))
    if (why !== null) {
      await this.#deps.queue.end(job.id, { state: 'cancelled', problem: why })
      this.#deps.onProgress(job.id)
      await this.#deps.onEnded(job.id)
      return true
    }
    const inHand: InHand = { slot: job.slot ?? 1, lease: job.lease, isGiven: false, events: 0 }
    this.#jobs.set(job.id, inHand)
    try {
      const link = await this.#linked(agent)
      inHand.isGiven = true
      await this.#run(link, agent, job)
      return true
    } catch (error) {
      if (this.#closed) return false
      // Nothing was started: the host process was never reached.
      this.#drop(job.id)
      await this.#putOff(job.id, messageOf(error))
      return false
    }
  }

  /** Returns whether there is budget left; if not, schedules another check for when it is renewed. */
  #mayUse(agent: Agent): boolean {
    const { usedUp } = this.#deps.budgets.of(agent)
    this.usedUp = usedUp === null ? null : `${usedUp.message} until ${new Date(usedUp.until).toISOString()}`
    clearTimeout(this.#rest)
    if (usedUp !== null)
      this.#rest = setTimeout(() => void this.pump(), Math.min(longestRestMs, Math.max(0, usedUp.until - Date.now()) + 1_000))
    return usedUp === null
  }

  async #run(link: HostLink, agent: Agent, job: Job): Promise<void> {
    const prompt = await this.#deps.queue.prompt(job.id)
    const { id, slot, conversation, byOwner } = job
    const lease = this.#lease(job)
    const { limits, prices } = this.#deps.budgets.of(agent).allowances
    const shared = await this.#deps.queue.limits(id)
    const allowances = { limits: [...limits, ...(lease === null ? [] : leaseAllowances(lease)), ...shared], prices }
    const { memory: wish } = agent.manifest
    const episodes = wish === undefined ? [] : this.#deps.episodes.list(agent.id, wish.last, job.lease)
    const memory = episodes.length === 0 ? {} : { memory: memoryText(episodes) }
    const { manifest } = agent
    const worktree = await worktreeName(job, this.#deps.queue)
    const order = {
      job: id,
      slot: slot ?? 1,
      prompt,
      manifest,
      byOwner,
      conversation,
      worktree,
      allowances,
      ...memory,
      ...leaseOrder(lease),
    }
    link.send({ type: 'run', ...order })
    link.send({ type: 'tail', job: id })
    // Cancelled while its host process was starting.
    if ((await this.#deps.queue.get(id))?.cancelAsked) link.send({ type: 'cancel', job: id })
  }

  #lease({ lease }: Job): Lease | null {
    return lease === null ? null : this.#deps.leases.get(lease)
  }

  /** The jobs that a host process has, or should have. */
  get #given(): readonly string[] {
    return [...this.#jobs].filter(([, each]) => each.isGiven).map(([id]) => id)
  }

  /** Whether the host process belongs to another version of Paddock and still runs jobs of this worker. */
  get #waitsForOtherVersion(): boolean {
    return this.#link !== null && isOfOtherVersion(this.#link) && this.#given.length > 0
  }

  /** @throws PaddockError BUSY if the host process belongs to another version of Paddock and has jobs or terminals */
  async #linked(agent: Agent): Promise<HostLink> {
    if (this.#link !== null && isOfOtherVersion(this.#link) && !this.#waitsForOtherVersion) {
      // It may have become idle; it does not tell this version about terminals. `start` asks it, and replaces it if so.
      this.#link[Symbol.dispose]()
      this.#link = null
    }
    let link = this.#link
    while (link === null) link = await this.#connect(() => this.#deps.hosts.start(agent))
    if (this.#closed) throw new PaddockError('CANCELLED', 'The server is ending.')
    if (isOfOtherVersion(link)) throw new PaddockError('BUSY', ofOtherVersion)
    return link
  }

  readonly #connectRunning = (): Promise<HostLink | null> => this.#deps.hosts.connect({ id: this.#id })

  /** Connects to the host process with `connect`, or joins an attempt that is under way: there is never more than one connection. */
  #connect(connect: () => Promise<HostLink | null>): Promise<HostLink | null> {
    this.#linking ??= connect()
      .then(async (link) => {
        if (this.#closed) link?.[Symbol.dispose]()
        else if (link !== null) await this.#use(link)
        return link
      })
      .finally(() => {
        this.#linking = null
      })
    return this.#linking
  }

  /** Follows this connection, and sends the host process all state that it is missing. */
  async #use(link: HostLink): Promise<void> {
    this.#link = link
    this.sessions.connected(link.hello.sessions)
    // The host process repeats the calls that its jobs wait for.
    this.#resting.clear()
    this.#resuming.length = 0
    const known = new Map(link.hello.jobs.map((each) => [each.job, each.state]))
    const agent = this.#deps.agents.get(this.#id)
    for (const id of this.#given) {
      const job = await this.#deps.queue.get(id)
      if (job === null || job.slot === null) continue
      if (await this.#settled(id)) continue
      const state = known.get(id)
      if (state !== undefined) {
        // The state may have changed while no server was listening.
        if (state !== job.state && (state === 'running' || state === 'waiting')) await this.#deps.queue.note(id, state)
        link.send({ type: 'tail', job: id })
        for (const each of await this.#deps.spentBy(id)) link.send({ type: 'spent', job: id, ...each })
        if (job.cancelAsked) link.send({ type: 'cancel', job: id })
      } else if (wasAccepted(this.#deps.data.job(id))) await this.#interrupted(job)
      else if (agent !== null) await this.#run(link, agent, job)
    }
    this.#following = this.#follow(link)
  }

  async #follow(link: HostLink): Promise<void> {
    try {
      for await (const frame of link.frames) await this.#heard(frame)
    } catch (error) {
      this.#deps.warn(`the connection to a host process broke: ${messageOf(error)}`, { agent: this.#id })
    }
    if (this.#link === link) this.#link = null
    link[Symbol.dispose]()
    this.sessions.disconnected()
    // If the outcome of the jobs cannot be recorded now (a full disk), try again later.
    while (!this.#closed) {
      try {
        return await this.#reconnect()
      } catch (error) {
        this.#deps.warn(messageOf(error), { agent: this.#id })
        await pause(firstPauseMs, undefined, { ref: false })
      }
    }
  }

  /** Reconnects if only the connection was lost, and was not replaced. */
  async #reconnect(): Promise<void> {
    if (this.#link === null && (this.#given.length > 0 || this.sessions.size > 0)) {
      if ((await this.#connect(this.#connectRunning)) === null) {
        this.sessions.connected(null)
        await this.#lost()
      }
    }
    await this.pump()
  }

  async #heard(frame: FromHost): Promise<void> {
    switch (frame.type) {
      case 'accepted':
        this.#problem = null
        this.#pauseMs = firstPauseMs
        return
      case 'wrote': {
        const job = this.#jobs.get(frame.job)
        if (job === undefined) return
        job.events = frame.events
        return this.#deps.onProgress(frame.job)
      }
      case 'state':
        if (frame.state === 'running' || frame.state === 'waiting') await this.#deps.queue.note(frame.job, frame.state, frame.why)
        if (frame.state === 'interrupted') await this.#interruptedBy(frame.job)
        return
      case 'call':
        return this.#called(frame)
      case 'withdrawn':
        // A job that stops waiting continues, even above the limit if another job has started meanwhile.
        this.#rested(frame.job, frame.call)
        return this.#deps.onWithdrawn(frame.job, frame.call)
      case 'session':
      case 'unopened':
      case 'closed':
        return this.sessions.heard(frame)
      case 'budget':
        return this.#deps.onBudget(frame.job, frame.message)
      case 'refused':
        return this.#refused(frame.job, frame.message)
      case 'ended':
        if (await this.#settled(frame.job)) await this.pump()
        return
    }
  }

  /** Handles a job that an earlier host process had started. */
  async #interruptedBy(id: string): Promise<void> {
    const job = await this.#deps.queue.get(id)
    if (job !== null && this.#jobs.has(id)) await this.#interrupted(job)
    await this.pump()
  }

  /** Handles a job that the host process did not accept. Nothing was started. */
  async #refused(id: string, message: string): Promise<void> {
    if (!this.#jobs.has(id)) return
    this.#drop(id)
    await this.#putOff(id, message)
  }

  /** Returns the job to the queue, with a pause before the next attempt. */
  async #putOff(id: string, problem: string): Promise<void> {
    this.#problem = problem
    this.#deps.warn(`an agent cannot work: ${problem}`, { agent: this.#id })
    await this.#deps.queue.giveBack(id, Date.now() + this.#pauseMs)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.pump()
    }, this.#pauseMs)
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2)
  }

  #drop(job: string): void {
    this.#jobs.delete(job)
    this.#resting.delete(job)
    if (this.#jobs.size === 0) for (const each of this.#whenIdle.splice(0)) each()
  }

  /** Records the end of a job that has a result. */
  async #settled(id: string): Promise<boolean> {
    if (!(await settle(id, this.#deps))) return false
    this.#drop(id)
    this.#deps.onProgress(id)
    await this.#deps.onEnded(id)
    return true
  }

  /** Handles the loss of the host process: jobs that it finished are done, jobs that it never started are requeued, the rest are lost. */
  async #lost(): Promise<void> {
    for (const id of this.#given) {
      if (await this.#settled(id)) continue
      const job = await this.#deps.queue.get(id)
      if (job !== null && wasAccepted(this.#deps.data.job(id))) await this.#interrupted(job)
      else {
        await this.#deps.queue.giveBack(id)
        this.#drop(id)
      }
    }
  }

  async #interrupted(job: Job): Promise<void> {
    const isFollowed = await interrupt(job, this.#deps)
    this.#drop(job.id)
    this.#deps.onProgress(job.id)
    await this.#deps.onEnded(job.id)
    if (isFollowed) this.#deps.onQueued()
  }
}

function isOfOtherVersion({ hello }: HostLink): boolean {
  return hello.version !== protocolVersion
}

/** Returns the lease of a job in the form that a host process receives. */
function leaseOrder(lease: Lease | null) {
  if (lease === null) return {}
  const { id, expiresAt, tools } = lease
  return { lease: { id, expiresAt, ...(tools === undefined ? {} : { tools: [...tools] }) } }
}
