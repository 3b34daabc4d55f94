import type { AuditSink } from '../audit/event.ts'
import { messageOf } from '../base/errors.ts'
import type { Hosts } from './agents/host-link.ts'
import { every, setAlarm } from './alarm.ts'
import { type BudgetOptions, type Budgets, fleetBudgets } from './budgets/budgets.ts'
import { type FleetCommands, fleetCommands } from './commands.ts'
import type { FleetData } from './data-directory.ts'
import { startWork, type Work } from './fleet-work.ts'
import { defaultRetention, type Retention, sweepJobs } from './retention/sweep-jobs.ts'
import { runSchedules } from './schedules/schedule-runner.ts'
import type { Agents } from './store/agent-store.ts'
import type { Episodes } from './store/episodes.ts'
import { openStore, type Store } from './store/fleet-store.ts'
import type { Jobs } from './store/job-records.ts'
import type { Leases } from './store/lease-store.ts'
import type { Pause } from './store/pause-store.ts'
import type { Webhook, Webhooks } from './store/webhook-store.ts'
import { type FleetViews, fleetViews } from './views.ts'
import { type Answer, type Send, sender } from './webhooks/send.ts'
import { runWebhooks } from './webhooks/webhook-runner.ts'

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

/** The fleet of one data directory: its state, its work, and what people tell it to do. */
export interface Fleet
  extends AsyncDisposable,
    FleetCommands,
    FleetViews,
    Pick<Work, 'terminals' | 'onLeaseEnd' | 'stopTaking'>,
    Pick<Store, 'events' | 'tokens' | 'usage' | 'sessions' | 'hooks' | 'schedules' | 'discord'> {
  readonly agents: Pick<Agents, 'get' | 'find' | 'list'>
  readonly jobs: Pick<Jobs, 'get' | 'list' | 'prompt' | 'limits' | 'noteToApply'>
  readonly episodes: Omit<Episodes, 'add' | 'inherit'>
  readonly leases: Pick<Leases, 'get' | 'find' | 'list'>
  readonly webhooks: Pick<Webhooks, 'create' | 'find' | 'list' | 'pause' | 'remove' | 'outcomes'>
  readonly budgets: Pick<Budgets, 'prices' | 'fleet' | 'used'>
  /** Questions from jobs to humans. */
  readonly questions: Pick<Work['questions'], 'list' | 'answer'>
  /** Sends a test event without content. */
  testWebhook(webhook: Webhook): Promise<Answer>
  /** Returns the pause after a restored backup, or null. */
  paused(): Pause | null
}

/**
 * Opens the fleet, follows the running jobs, and starts to work on the queue.
 * @throws PaddockError BUSY if another process owns the data, CONFLICT if a newer Paddock wrote it
 */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const store = await openStore(options.data)
  try {
    return await openWork(store, options)
  } catch (error) {
    store[Symbol.dispose]()
    throw error
  }
}

async function openWork(store: Store, { data, hosts, warn, audit = () => undefined, ...keeping }: FleetOptions): Promise<Fleet> {
  const { agents, jobs, events, leases, webhooks, schedules, pause } = store
  const now = (): number => Date.now()
  const isPaused = (): boolean => pause.now() !== null
  const budgets = fleetBudgets(keeping.budgets ?? {}, store.usage, () => new Date())
  const work = await startWork(store, { data, hosts, budgets, audit, warn })
  const closing = new AbortController()
  const sweep = (): void => {
    const deps = { store, data, hasCopy: keeping.hasCopy ?? (() => false), now, signal: closing.signal }
    sweepJobs(keeping.retention ?? defaultRetention, deps).catch((error: unknown) =>
      warn(`expired data could not be deleted: ${messageOf(error)}`, {}),
    )
  }
  const retention = setAlarm({ look: every(sweepMs, sweep, now), failed: (error) => warn(error, {}), now })
  const times = runSchedules({ schedules, events, agent: agents.get, job: jobs.get, give: work.give, isPaused, warn, now })
  const deliveries = runWebhooks({ webhooks, events, send: keeping.send ?? sender(), isPaused, warn, now })
  return {
    ...{ agents, jobs, events, leases, schedules, webhooks, budgets },
    tokens: store.tokens,
    usage: store.usage,
    sessions: store.sessions,
    hooks: store.hooks,
    episodes: store.episodes,
    discord: store.discord,
    ...fleetCommands(store, work, data),
    ...fleetViews(store, work, data),
    questions: work.questions,
    terminals: work.terminals,
    onLeaseEnd: work.onLeaseEnd,
    testWebhook: (webhook) => deliveries.test(webhook),
    paused: pause.now,
    stopTaking() {
      work.stopTaking()
      times[Symbol.dispose]()
    },
    async [Symbol.asyncDispose]() {
      for (const each of [times, deliveries, retention, work]) each[Symbol.dispose]()
      closing.abort()
      store[Symbol.dispose]()
    },
  }
}
