import { existsSync } from 'node:fs'
import type { AuditSink } from '../audit/event.ts'
import { messageOf, PaddockError } from '../errors.ts'
import { takeLock } from '../files/lock.ts'
import { type AgentDoing, agentDoing } from './agents/doing.ts'
import { type FleetTerminals, fleetTerminals } from './agents/fleet-terminals.ts'
import type { Hosts } from './agents/host-link.ts'
import { finishRemovals, removeAgent } from './agents/removed-agents.ts'
import { Worker, type WorkerDeps } from './agents/worker.ts'
import { type BudgetOptions, type Budgets, fleetBudgets } from './budgets/budgets.ts'
import { spentOf } from './budgets/spent.ts'
import type { FleetData } from './data-directory.ts'
import { Delegation } from './delegation/delegation.ts'
import { useFleetDirectory } from './fleet-directory.ts'
import { Questions } from './inbox/questions.ts'
import { isEnded, type JobState } from './jobs/job.ts'
import { TranscriptReader } from './jobs/transcript.ts'
import { admissionTo, type Incoming } from './leases/admission.ts'
import { runLeases } from './leases/runner.ts'
import type { Job, JobQueue, NewJob } from './queue/queue.ts'
import { sqliteQueue } from './queue/sqlite-queue.ts'
import { resumeStore } from './resume.ts'
import { defaultRetention, type Retention, sweepJobs } from './retention/sweep.ts'
import { runSchedules } from './schedules/runner.ts'
import { type Agent, type Agents, agentStore } from './store/agents.ts'
import { type FleetDatabase, openDatabase } from './store/database.ts'
import { type DiscordRecords, discordRecords } from './store/discord-records.ts'
import { type Episodes, episodeStore } from './store/episodes.ts'
import { type EventLog, eventLog } from './store/events.ts'
import { type Hooks, hookStore } from './store/hooks.ts'
import { type Lease, type Leases, type LeaseTerms, leaseStore } from './store/leases.ts'
import { type Pause, type PauseStore, pausedText, pauseStore } from './store/pause.ts'
import { type Schedules, scheduleStore } from './store/schedules.ts'
import { type SessionStore, sessionStore } from './store/sessions.ts'
import { type Tokens, tokenStore } from './store/tokens.ts'
import { type UsageStore, usageStore } from './store/usage.ts'
import { type Webhook, type Webhooks, webhookStore } from './store/webhooks.ts'
import { runWebhooks } from './webhooks/runner.ts'
import { type Answer, type Send, sender } from './webhooks/send.ts'
import { type Look, lookInto } from './workspace/look.ts'

export interface FleetOptions {
  readonly data: FleetData
  readonly hosts: Hosts
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly retention?: Retention
  readonly budgets?: BudgetOptions
  /** Receives messages that only the owner may see. By default they are dropped. */
  readonly audit?: AuditSink
  /** Returns whether a copy with this id exists. */
  readonly hasCopy?: (id: string) => boolean
  /** Sends the deliveries of webhooks; by default over the network. */
  readonly send?: Send
}

/** Milliseconds between two checks for data whose retention period has ended. */
const sweepMs = 3_600_000

/** The transcript of a job, for readers that follow it. */
export interface Transcript {
  after(number: number, limit: number): ReturnType<TranscriptReader['after']>
  /** Returns the number of the newest event; 0 without one. */
  last(): Promise<number>
  /** Calls the listener when there may be more events, or when the job has ended. Returns a function that removes the listener. */
  onGrowth(listener: () => void): () => void
  /** Returns true once no more events will follow. */
  hasEnded(): Promise<boolean>
}

/** The current state of an agent, derived from its jobs. */
export interface AgentNow {
  readonly agent: Agent
  readonly state: 'working' | 'idle' | 'stopped' | 'archived' | 'failing'
  /** The number of jobs that are running or waiting. */
  readonly running: number
  readonly queued: number
  /** The reason why the agent cannot work, or null if it can. */
  readonly problem: string | null
}

/** What a fleet has to do now. */
export interface FleetLoad {
  /** Jobs that have not ended; the agent is a name, or null if any free one may take them. */
  readonly jobs: readonly { readonly agent: string | null; readonly state: JobState; readonly jobs: number }[]
  /** When the oldest queued job was created, in ISO 8601; null if none is queued. */
  readonly oldestQueuedAt: string | null
  readonly agents: readonly { readonly name: string; readonly isFailing: boolean }[]
  readonly cells: { readonly job: number; readonly terminal: number }
}

/** The fleet of one data directory. Its methods return plain data, which is on the disk by then. */
export interface Fleet extends AsyncDisposable {
  readonly agents: Pick<Agents, 'get' | 'find' | 'list'>
  readonly queue: Pick<JobQueue, 'get' | 'list' | 'prompt' | 'limits' | 'noteToApply'>
  readonly events: EventLog
  readonly tokens: Tokens
  readonly usage: UsageStore
  readonly sessions: SessionStore
  readonly hooks: Hooks
  readonly episodes: Omit<Episodes, 'add' | 'inherit'>
  readonly leases: Pick<Leases, 'get' | 'find' | 'list'>
  readonly schedules: Schedules
  /** Applies a changed schedule. */
  schedulesChanged(): void
  readonly webhooks: Pick<Webhooks, 'create' | 'find' | 'list' | 'pause' | 'remove' | 'outcomes'>
  /** Applies a changed webhook. */
  webhooksChanged(): void
  /** Sends a test event without content. */
  testWebhook(webhook: Webhook): Promise<Answer>
  /** The Discord bot of the fleet, its channels, and its waiting posts. */
  readonly discord: DiscordRecords
  readonly budgets: Pick<Budgets, 'prices' | 'fleet' | 'used'>
  create(...args: Parameters<Agents['create']>): Agent
  edit(agent: Agent, manifest: Agent['manifest'], version: number, waitsOf: string | null): Agent
  /** Takes or drops the manifest of an agent that waits for an owner. @throws PaddockError CONFLICT */
  decide(agent: Agent, version: number, isAllowed: boolean): Agent
  start(agent: Agent): Agent
  /** Stops taking work; running jobs continue. */
  stop(agent: Agent): Agent
  /** Ends the agent's jobs, then archives the agent. */
  archive(agent: Agent): Promise<Agent>
  /** Ends the agent's jobs, then deletes the agent with its jobs, transcripts, homes and workspaces. */
  remove(agent: Agent): Promise<void>
  /** Returns the current states of agents, in their order. */
  now(agents: readonly Agent[]): Promise<readonly AgentNow[]>
  load(): Promise<FleetLoad>
  /** Returns the agent's current work, and how its last jobs ended. */
  doing(agent: Agent): Promise<AgentDoing>
  /** Returns whether the agent would take a job now. If several agents are suitable, the oldest one takes the job. */
  isFree(agent: Agent): boolean
  /** Reads an entry of the agent's own workspace, given by the names on its path. @throws PaddockError NOT_FOUND */
  look(agent: Agent, names: readonly string[], slot: number): Promise<Look>
  /** Questions from jobs to humans. */
  readonly questions: Pick<Questions, 'list' | 'answer'>
  /**
   * Adds a job or a message to the queue.
   * @throws PaddockError TOPIC_REFUSED; CONFLICT for a lease that has ended or is used up
   */
  give(job: NewJob, incoming?: Incoming): Promise<{ readonly job: Job; readonly isNew: boolean }>
  /** Lends an agent. @throws PaddockError CONFLICT if the name is taken */
  lend(terms: LeaseTerms): ReturnType<Leases['create']>
  /** Ends a lease. When it resolves, the token is invalid, and the jobs are cancelled or were asked to end. */
  revoke(lease: Lease): Promise<Lease>
  /** Calls the listener with each lease that ends. Returns a function that removes the listener. */
  onLeaseEnd(listener: (lease: Lease) => void): () => void
  /**
   * Ends a job: immediately if it is queued, otherwise once its cell is gone.
   * @throws PaddockError NOT_FOUND, CONFLICT if it has ended
   */
  cancel(id: string): Promise<Job>
  /**
   * Replaces the prompt of a job that has not started.
   * @throws PaddockError NOT_FOUND, CONFLICT if it has started, TOPIC_REFUSED
   */
  change(id: string, prompt: string, incoming?: Incoming): Promise<Job>
  /**
   * Ends the job that a message waits for, so that the message starts as soon as the job's cell is gone; earlier messages start first.
   * @throws PaddockError NOT_FOUND, CONFLICT if the job is not a message or has started
   */
  sendNow(id: string): Promise<Job>
  transcript(job: Job): Transcript
  /** The terminals of all agents. */
  readonly terminals: FleetTerminals
  /** Returns the pause after a restored backup, or null. */
  paused(): Pause | null
  /** Ends the pause, and returns it; null if the fleet was not paused. */
  resume(): Pause | null
  /** Calls the listener after the end of the pause. Returns a function that removes the listener. */
  onResume(listener: () => void): () => void
  /** Stops taking jobs from the queue, because the server ends. */
  stopTaking(): void
  /** The number of jobs that are running or waiting. */
  readonly busy: number
}

/**
 * Opens the fleet, follows the running jobs, and starts to work on the queue.
 * @throws PaddockError BUSY if another process owns the data, CONFLICT if a newer Paddock wrote it
 */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const opened = await openStore(options.data)
  try {
    return await startWork(opened, options)
  } catch (error) {
    opened[Symbol.dispose]()
    throw error
  }
}

/** The state of a fleet, without any running jobs or timers. */
export interface Store extends Disposable {
  readonly database: FleetDatabase
  readonly events: EventLog
  readonly tokens: Tokens
  readonly usage: UsageStore
  readonly sessions: SessionStore
  readonly pause: PauseStore
  readonly schedules: Schedules
  readonly hooks: Hooks
  readonly webhooks: Webhooks
  readonly discord: DiscordRecords
  readonly episodes: Episodes
  readonly leases: Leases
  readonly agents: Agents
  readonly queue: JobQueue
}

/** Opens only the state, and takes its lock. @throws PaddockError those of `useFleetDirectory`; BUSY if another process owns the data */
export async function openStore(data: FleetData): Promise<Store> {
  await useFleetDirectory(data)
  const lock = await takeLock({ file: data.lock, what: `The fleet in ${data.root}`, command: 'paddock serve' })
  try {
    const database = openDatabase(data.database, data.root)
    const events = eventLog(database)
    const usage = usageStore(database)
    const episodes = episodeStore(database)
    const tokens = tokenStore(database, events)
    const leases = leaseStore(database, events, tokens)
    return {
      database,
      events,
      tokens,
      leases,
      sessions: sessionStore(database),
      pause: pauseStore(database, events),
      schedules: scheduleStore(database, events),
      hooks: hookStore(database, events),
      webhooks: webhookStore(database, events),
      discord: discordRecords(database, events),
      agents: agentStore(database, events),
      usage,
      episodes,
      queue: sqliteQueue(database, events, { usage, episodes, leases }),
      [Symbol.dispose]() {
        database[Symbol.dispose]()
        lock[Symbol.dispose]()
      },
    }
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

async function startWork(store: Store, { data, hosts, warn, audit = () => undefined, ...keeping }: FleetOptions): Promise<Fleet> {
  const { agents, queue, events, leases } = store
  const workers = new Map<string, Worker>()
  const listeners = new Map<string, Set<() => void>>()
  let stopping = false
  const isHeld = (): boolean => stopping || store.pause.now()?.jobs === true
  const isPaused = (): boolean => store.pause.now() !== null
  const resumed = new Set<() => void>()
  const budgets = fleetBudgets(keeping.budgets ?? {}, store.usage, () => new Date())

  const questions = new Questions()
  const delegation: Delegation = new Delegation({ agents, queue, give: (job, incoming) => give(job, incoming), cancel: (id) => cancel(id) })
  /** Handles requests from jobs to humans and to other jobs. */
  const between: Pick<WorkerDeps, 'onCall' | 'onWithdrawn' | 'onEnded' | 'spentBy'> = {
    async onCall(frame, reply) {
      const { job, call, what } = frame
      if (what.type === 'delegate' || what.type === 'await')
        return (await delegation.call(job, call, what, reply)) ? 'waits for a job' : 'answered'
      const agent = (await queue.get(job))?.agent
      questions.add(frame, (agent == null ? null : agents.get(agent)?.name) ?? '', reply)
      return 'waits'
    },
    onWithdrawn(job, call) {
      questions.withdraw(job, call)
      delegation.withdraw(job, call)
    },
    async onEnded(id) {
      questions.ended(id)
      const job = await queue.get(id)
      const parent = job?.parent == null ? null : await queue.get(job.parent)
      // Report the use before the answer, because the parent continues after the answer.
      if (job !== null && parent?.agent != null) workers.get(parent.agent)?.spent(parent.id, id, spentOf(job.result))
      await delegation.ended(id)
    },
    spentBy: async (job) =>
      (await queue.children(job)).filter((each) => isEnded(each.state)).map((each) => ({ child: each.id, used: spentOf(each.result) })),
  }

  const worker = (id: string): Worker => {
    const known = workers.get(id)
    if (known !== undefined) return known
    const made = new Worker(id, {
      agents,
      queue,
      hosts,
      data: data.agent(id),
      budgets,
      episodes: store.episodes,
      leases,
      isHeld,
      warn,
      onProgress: progress,
      ...between,
      onSession: (session, why) =>
        store.database.transaction(() =>
          events.add({
            kind: why === null ? 'session.opened' : 'session.ended',
            agent: id,
            data: { id: session, ...(why === null ? {} : { why }) },
          }),
        ),
      onBudget: (job, message) => store.database.transaction(() => events.add({ kind: 'job.budget', agent: id, job, data: { message } })),
      onQueued: () => void offer(),
    })
    workers.set(id, made)
    return made
  }
  const progress = (job: string): void => {
    for (const each of [...(listeners.get(job) ?? [])]) each()
  }
  /** Offers queued work to suitable agents. */
  const offer = async (): Promise<void> => {
    if (isHeld()) return
    const wanted = await queue.wanted()
    const ids = wanted.any ? everyAgent(agents) : wanted.agents
    await Promise.all(ids.map((id) => worker(id).pump()))
  }
  /** Ends an agent's leases and jobs, then its host process. */
  const quiet = async (agent: Agent): Promise<void> => {
    agents.want(agent.id, 'stopped')
    for (const each of leases.list()) if (each.agent === agent.id && each.endedAt === null) leases.revoke(each.id)
    await lent.wake()
    for (const each of await queue.list({ agent: agent.id, state: 'queued' }, { before: null, limit: Number.MAX_SAFE_INTEGER })) {
      await queue.cancel(each.id)
      await between.onEnded(each.id)
    }
    const made = worker(agent.id)
    for (const each of await queue.inHand()) {
      if (each.agent !== agent.id) continue
      await queue.cancel(each.id)
      made.cancel(each.id)
    }
    await made.idle()
    await made.end()
    workers.delete(agent.id)
  }

  const found = async (id: string): Promise<Job> => {
    const job = await queue.get(id)
    if (job === null) throw new PaddockError('NOT_FOUND', `There is no job ${id}.`, { hint: 'Run: paddock job list' })
    return job
  }

  const cancel = async (id: string): Promise<Job> => {
    const job = await queue.cancel(id)
    if (job === null) throw new PaddockError('CONFLICT', `The job ${id} has ended: ${(await found(id)).state}.`)
    if (job.state === 'cancelled') {
      progress(id)
      await between.onEnded(id)
      void offer()
    } else {
      if (job.agent !== null) workers.get(job.agent)?.cancel(id)
      await delegation.cancelChildren(id)
    }
    return job
  }
  const leaseEnds = new Set<(lease: Lease) => void>()
  const terminals = fleetTerminals({ agents, hosts, worker, workers: () => workers })
  const onEnd = (lease: Lease): void => {
    terminals.closeLease(lease.id)
    for (const each of [...leaseEnds]) each(lease)
  }
  const lent = runLeases({ leases, queue, cancel, cancelBelow: (id) => delegation.cancelBelow(id), onEnd, warn, now: () => Date.now() })
  const admission = admissionTo({ database: store.database, agents, queue, leases, events, audit, now: () => Date.now() })
  const give = async (job: NewJob, incoming: Incoming = {}): Promise<{ readonly job: Job; readonly isNew: boolean }> => {
    await admission.admit(job, incoming)
    const given = await queue.put(job)
    if (given.isNew) void offer()
    return given
  }

  await finishRemovals(data, agents, warn)
  for (const each of await queue.orphans()) await queue.cancel(each.id)
  const inHand = Map.groupBy(await queue.inHand(), (job) => job.agent ?? '')
  // A host process without a job may have open terminals.
  const running = everyAgent(agents).filter((id) => existsSync(data.agent(id).hostFile))
  await Promise.all([...new Set([...inHand.keys(), ...running])].map((id) => worker(id).adopt(inHand.get(id) ?? [])))
  void offer()
  const closing = new AbortController()
  const deps = { store, data, hasCopy: keeping.hasCopy ?? (() => false), now: () => Date.now(), signal: closing.signal }
  const sweep = (): void => {
    sweepJobs(keeping.retention ?? defaultRetention, deps).catch((error: unknown) =>
      warn(`expired data could not be deleted: ${messageOf(error)}`, {}),
    )
  }
  const sweeping = setInterval(sweep, sweepMs)
  sweep()
  const now = (): number => Date.now()
  const schedules = runSchedules({ schedules: store.schedules, agent: agents.get, job: queue.get, give, isPaused, warn, now })
  const webhooks = runWebhooks({ webhooks: store.webhooks, events, send: keeping.send ?? sender(), isPaused, warn, now })

  return {
    agents,
    queue,
    events,
    tokens: {
      ...store.tokens,
      revoke(nameOrId) {
        const token = store.tokens.revoke(nameOrId)
        void lent.wake()
        return token
      },
    },
    leases,
    usage: store.usage,
    sessions: store.sessions,
    schedules: store.schedules,
    hooks: store.hooks,
    episodes: store.episodes,
    schedulesChanged: () => schedules.wake(),
    webhooks: store.webhooks,
    webhooksChanged: () => webhooks.wake(),
    testWebhook: (webhook) => webhooks.test(webhook),
    discord: store.discord,
    budgets,
    create(manifest, waitsOf) {
      const created = store.database.transaction(() => {
        const from = manifest.memory?.inherit === undefined ? null : agents.find(manifest.memory.inherit)
        const agent = agents.create(manifest, waitsOf)
        if (from !== null) store.episodes.inherit(agent.id, from)
        return agent
      })
      // Jobs for any agent may have waited for this one.
      void offer()
      return created
    },
    edit(agent, manifest, version, waitsOf) {
      const edited = agents.edit(agent.id, manifest, version, waitsOf)
      void offer()
      return edited
    },
    decide(agent, version, isAllowed) {
      const decided = agents.decide(agent.id, version, isAllowed)
      void offer()
      return decided
    },
    start(agent) {
      if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
      const started = agents.want(agent.id, 'started')
      void offer()
      return started
    },
    stop: (agent) => agents.want(agent.id, 'stopped'),
    async archive(agent) {
      // From now on, no job is accepted, so the jobs that are cancelled are all.
      const archived = agents.archive(agent.id)
      await quiet(agent)
      return archived
    },
    async remove(agent) {
      await quiet(agent)
      await removeAgent(data, agents, agent.id)
    },
    async now(agents) {
      const queued = await queue.queued()
      const held = store.pause.now()?.jobs === true ? pausedText : null
      return agents.map((agent) => {
        const { busy: running, problem: broken, usedUp } = worker(agent.id)
        const isStopped = agent.wanted === 'stopped' || !agent.isApproved
        const resting = agent.archivedAt !== null ? 'archived' : isStopped ? 'stopped' : broken !== null ? 'failing' : 'idle'
        const problem = unapproved(agent) ?? broken ?? usedUp ?? held
        return { agent, state: running > 0 ? 'working' : resting, running, queued: queued.get(agent.id) ?? 0, problem }
      })
    },
    async load() {
      const all = agents.list({ after: null, limit: Number.MAX_SAFE_INTEGER, archived: false })
      const sumOf = (count: (worker: Worker) => number): number => [...workers.values()].reduce((sum, each) => sum + count(each), 0)
      return {
        jobs: (await queue.unfinished()).map(({ agent, ...each }) => ({
          ...each,
          agent: agent === null ? null : (agents.get(agent)?.name ?? agent),
        })),
        oldestQueuedAt: await queue.oldestQueued(),
        agents: all.map(({ id, name }) => ({ name, isFailing: (workers.get(id)?.problem ?? null) !== null })),
        cells: { job: sumOf(({ busy }) => busy), terminal: sumOf(({ sessions }) => sessions.size) },
      }
    },
    doing: (agent) => agentDoing(agent, { queue, usage: store.usage, data }),
    isFree: ({ id }) => worker(id).isFree,
    look: ({ id }, names, slot) => lookInto(data.agent(id).slot(slot).work, names),
    give,
    lend(terms) {
      const made = leases.create(terms)
      void lent.wake()
      return made
    },
    async revoke({ id }) {
      leases.revoke(id)
      await lent.wake()
      return leases.get(id) as Lease
    },
    onLeaseEnd(listener) {
      leaseEnds.add(listener)
      return () => void leaseEnds.delete(listener)
    },
    cancel,
    questions,
    async change(id, prompt, incoming = {}) {
      admission.admitChange(await found(id), prompt, incoming)
      const job = await queue.change(id, prompt, incoming.sender?.role === 'owner')
      if (job !== null) return job
      throw new PaddockError('CONFLICT', `The job ${id} has begun: ${(await found(id)).state}.`, {
        hint: `Send it a message: paddock job message ${id}`,
      })
    },
    async sendNow(id) {
      const message = await found(id)
      if (!message.isMessage || message.state !== 'queued')
        throw new PaddockError('CONFLICT', `The job ${id} is not a message that waits for the end of another job.`)
      let before = message
      while (before.state === 'queued' && before.isMessage && before.continues !== null) before = await found(before.continues)
      if (before.agent !== null && (before.state === 'running' || before.state === 'waiting')) {
        await queue.cancel(before.id)
        workers.get(before.agent)?.cancel(before.id)
      }
      return message
    },
    terminals,
    transcript(job) {
      let known: TranscriptReader | null = null
      const reader = async (): Promise<TranscriptReader | null> => {
        // A job for any free agent has no files until an agent has taken it.
        const agent = known === null ? (job.agent ?? (await queue.get(job.id))?.agent ?? null) : null
        if (agent !== null) known = new TranscriptReader(data.agent(agent).job(job.id).transcript)
        return known
      }
      return {
        after: async (number, limit) => (await reader())?.after(number, limit) ?? [],
        last: async () => (await reader())?.last() ?? 0,
        onGrowth(listener) {
          const set = listeners.get(job.id) ?? new Set()
          listeners.set(job.id, set.add(listener))
          return () => {
            set.delete(listener)
            if (set.size === 0) listeners.delete(job.id)
          }
        },
        hasEnded: async () => isEnded((await queue.get(job.id))?.state ?? 'cancelled'),
      }
    },
    paused: store.pause.now,
    resume() {
      const ended = resumeStore(store, Date.now())
      if (ended === null) return null
      schedules.wake()
      webhooks.wake()
      for (const each of [...resumed]) each()
      void offer()
      return ended
    },
    onResume(listener) {
      resumed.add(listener)
      return () => void resumed.delete(listener)
    },
    stopTaking() {
      stopping = true
      schedules[Symbol.dispose]()
    },
    get busy() {
      return [...workers.values()].reduce((sum, each) => sum + each.busy, 0)
    },
    async [Symbol.asyncDispose]() {
      schedules[Symbol.dispose]()
      webhooks[Symbol.dispose]()
      lent[Symbol.dispose]()
      clearInterval(sweeping)
      closing.abort()
      for (const each of workers.values()) each.close()
      store[Symbol.dispose]()
    },
  }
}

function unapproved({ isApproved, waiting }: Agent): string | null {
  if (isApproved) return null
  return waiting === null
    ? 'An owner did not approve its manifest. Edit the manifest.'
    : 'It works once an owner has approved its manifest.'
}

/** Returns the ids of all agents that are not archived. */
function everyAgent(agents: Agents): readonly string[] {
  return agents.list({ after: null, limit: Number.MAX_SAFE_INTEGER, archived: false }).map((each) => each.id)
}
