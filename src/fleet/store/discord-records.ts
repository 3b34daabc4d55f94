import type { FleetDatabase } from './database.ts'
import { type DiscordStore, discordStore } from './discord.ts'
import { type DiscordPosts, discordPosts } from './discord-posts.ts'
import { type DiscordWork, discordWork } from './discord-work.ts'
import type { EventLog } from './events.ts'

/** All of a fleet's records about Discord. */
export interface DiscordRecords extends Pick<FleetDatabase, 'transaction'> {
  readonly store: DiscordStore
  readonly posts: DiscordPosts
  readonly work: DiscordWork
}

export function discordRecords(database: FleetDatabase, events: EventLog): DiscordRecords {
  return {
    store: discordStore(database, events),
    posts: discordPosts(database),
    work: discordWork(database),
    transaction: database.transaction,
  }
}
