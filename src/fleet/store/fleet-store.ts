import { takeLock } from '../../files/lock.ts'
import type { FleetData } from '../data-directory.ts'
import { useFleetDirectory } from '../fleet-directory.ts'
import { type Agents, agentStore } from './agent-store.ts'
import { type FleetDatabase, openDatabase } from './database.ts'
import { type DiscordRecords, discordRecords } from './discord-records.ts'
import { type Episodes, episodeStore } from './episodes.ts'
import { type EventLog, eventLog } from './event-log.ts'
import { type Hooks, hookStore } from './hook-store.ts'
import type { Jobs } from './job-records.ts'
import { jobStore } from './job-store.ts'
import { type Leases, leaseStore } from './lease-store.ts'
import { type PauseStore, pauseStore } from './pause-store.ts'
import { type Schedules, scheduleStore } from './schedule-store.ts'
import { type SessionStore, sessionStore } from './session-store.ts'
import { type Tokens, tokenStore } from './token-store.ts'
import { type UsageStore, usageStore } from './usage-store.ts'
import { type Webhooks, webhookStore } from './webhook-store.ts'

/** The state of a fleet, without any running jobs or timers. When a method returns, its result is on the disk. */
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
  readonly jobs: Jobs
}

/** Opens the state, and takes its lock. @throws PaddockError those of `useFleetDirectory`; BUSY if another process owns the data */
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
      jobs: jobStore(database, events, { usage, episodes, leases }),
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
