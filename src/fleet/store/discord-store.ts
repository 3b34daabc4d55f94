import { PaddockError } from '../../base/errors.ts'
import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'

/** The position at which the gateway resumes after a break. It repeats everything after this number. */
export interface GatewaySession {
  readonly id: string
  readonly sequence: number
  readonly url: string
}

/** The fleet's Discord bot. */
export interface DiscordBot {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

/** A channel in which some users may give work to an agent. */
export interface DiscordChannel {
  readonly id: string
  /** The id of the agent. */
  readonly agent: string
  /** The ids of the users who may give work. */
  readonly users: readonly string[]
  /** The id of the newest message that was read. */
  readonly readTo: string
  readonly createdAt: string
}

export interface DiscordStore {
  /** Returns the connected bot, or null. */
  bot(): DiscordBot | null
  /** Returns the token, which is stored in plain text because it is needed to sign in. */
  token(): string | null
  /** Stores a bot, and replaces the previous one. */
  connect(bot: Pick<DiscordBot, 'id' | 'name'>, token: string): void
  /** Deletes the token. Channels are kept. */
  disconnect(): void
  session(): GatewaySession | null
  remember(session: GatewaySession | null): void
  channels(): readonly DiscordChannel[]
  channel(id: string): DiscordChannel | null
  /**
   * Allows only these users to give work in a channel.
   * @throws PaddockError CONFLICT if the channel belongs to another agent, or the agent has another channel
   */
  setChannel(channel: Pick<DiscordChannel, 'id' | 'agent' | 'users' | 'readTo'>): DiscordChannel
  /** Removes a channel with its waiting posts. @throws PaddockError NOT_FOUND */
  removeChannel(id: string): void
  /** Records that all messages up to this one were read. */
  read(channel: string, message: string): void
}

/** The most channels. */
const most = 100

export function discordStore({ sql, transaction }: FleetDatabase, events: EventLog, now: () => Date = () => new Date()): DiscordStore {
  const of = (row: unknown): DiscordChannel => {
    const { users, ...rest } = row as Omit<DiscordChannel, 'users'> & { readonly users: string }
    return { ...rest, users: JSON.parse(users) as readonly string[] }
  }
  const columns = 'id, agent_id AS agent, users, read_to AS readTo, created_at AS createdAt'
  const channel = (id: string): DiscordChannel | null => {
    const row = sql(`SELECT ${columns} FROM discord_channels WHERE id = ?`).get(id)
    return row === undefined ? null : of(row)
  }
  return {
    bot() {
      const row = sql('SELECT bot AS id, bot_name AS name, created_at AS createdAt FROM discord').get()
      return row === undefined ? null : (row as unknown as DiscordBot)
    },
    token: () => (sql('SELECT token FROM discord').get()?.['token'] as string | undefined) ?? null,
    connect({ id, name }, token) {
      transaction(() => {
        sql('INSERT OR REPLACE INTO discord (one, token, bot, bot_name, session, created_at) VALUES (1, ?, ?, ?, NULL, ?)').run(
          ...[token, id, name, now().toISOString()],
        )
        events.add({ kind: 'discord.connected', data: { bot: id } })
      })
    },
    disconnect() {
      transaction(() => {
        const { changes } = sql('DELETE FROM discord').run()
        if (changes > 0) events.add({ kind: 'discord.disconnected' })
      })
    },
    session() {
      const text = sql('SELECT session FROM discord').get()?.['session'] as string | null | undefined
      return text == null ? null : (JSON.parse(text) as GatewaySession)
    },
    remember: (session) => void sql('UPDATE discord SET session = ?').run(session === null ? null : JSON.stringify(session)),
    channels: () => sql(`SELECT ${columns} FROM discord_channels ORDER BY created_at, id`).all().map(of),
    channel,
    setChannel({ id, agent, users, readTo }) {
      return transaction(() => {
        const before = channel(id)
        if (before !== null && before.agent !== agent)
          throw new PaddockError('CONFLICT', `The channel ${id} belongs to another agent.`, { hint: `Run: paddock discord remove ${id}` })
        const other = sql('SELECT id FROM discord_channels WHERE agent_id = ? AND id <> ?').get(agent, id)?.['id']
        if (other !== undefined)
          throw new PaddockError('CONFLICT', `The agent has the channel ${String(other)} already.`, {
            hint: `Run: paddock discord remove ${String(other)}`,
          })
        if (before === null && Number(sql('SELECT count(*) AS count FROM discord_channels').get()?.['count']) >= most)
          throw new PaddockError('CONFLICT', `There are ${most} channels, which is the maximum.`, { hint: 'Remove one' })
        sql(
          `INSERT INTO discord_channels (id, agent_id, users, read_to, created_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET users = excluded.users`,
        ).run(...[id, agent, JSON.stringify([...new Set(users)]), readTo, now().toISOString()])
        events.add({ kind: 'discord.added', agent, data: { channel: id } })
        return channel(id) as DiscordChannel
      })
    },
    removeChannel(id) {
      transaction(() => {
        const before = channel(id)
        if (before === null)
          throw new PaddockError('NOT_FOUND', `No agent has the channel ${id}.`, { hint: 'Run: paddock discord channels' })
        sql('DELETE FROM discord_channels WHERE id = ?').run(id)
        events.add({ kind: 'discord.removed', agent: before.agent, data: { channel: id } })
      })
    },
    read: (id, message) =>
      void sql('UPDATE discord_channels SET read_to = ?1 WHERE id = ?2 AND CAST(read_to AS INTEGER) < CAST(?1 AS INTEGER)').run(
        message,
        id,
      ),
  }
}
