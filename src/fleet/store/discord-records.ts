import { idAt } from '../discord/snowflake.ts'
import type { FleetDatabase } from './database.ts'
import { type DiscordPosts, discordPosts } from './discord-posts.ts'
import { type DiscordStore, discordStore } from './discord-store.ts'
import { type DiscordWork, discordWork } from './discord-work.ts'
import type { EventLog } from './event-log.ts'

/** All of a fleet's records about Discord. */
export interface DiscordRecords extends Pick<FleetDatabase, 'transaction'> {
  readonly store: DiscordStore
  readonly posts: DiscordPosts
  readonly work: DiscordWork
  /** Ends the gateway session, and leaves out all messages that were written and all posts that were due before `now` (ms since the epoch). */
  skip(now: number, problem: string): void
}

export function discordRecords(database: FleetDatabase, events: EventLog): DiscordRecords {
  const [store, posts, work] = [discordStore(database, events), discordPosts(database), discordWork(database)]
  const { transaction } = database
  const skip = (now: number, problem: string): void =>
    transaction(() => {
      store.remember(null)
      for (const { id } of store.channels()) store.read(id, idAt(now))
      posts.giveUpAll(problem)
      for (let ended = work.ended(); ended.length > 0; ended = work.ended())
        for (const { job } of ended) {
          const next = work.follower(job)
          if (next === null) work.told(job)
          else work.replace(job, next)
        }
    })
  return { store, posts, work, transaction, skip }
}
