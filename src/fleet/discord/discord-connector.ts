import { messageOf, PaddockError } from '../../base/errors.ts'
import { Secret } from '../../secrets/secret.ts'
import type { PostCounts } from '../store/discord-posts.ts'
import type { DiscordBot, DiscordChannel } from '../store/discord-store.ts'
import { pausedText } from '../store/pause-store.ts'
import { apiUrl } from './channel-address.ts'
import type { GatewayState } from './discord-gateway.ts'
import { type Incoming, type IncomingDeps, incomingMessages } from './incoming.ts'
import type { Link } from './link.ts'
import { followWork, type OutgoingDeps } from './outgoing.ts'
import { startPosting } from './posting.ts'
import { byAge, idAt } from './snowflake.ts'

export interface ConnectorDeps extends Omit<IncomingDeps, 'fleet'> {
  readonly fleet: IncomingDeps['fleet'] & OutgoingDeps['fleet']
  /** The URL of the API; Discord's by default. */
  readonly api?: string
}

export interface DiscordStatus {
  readonly state: 'off' | GatewayState
  readonly bot: DiscordBot | null
  /** The reason why the connection is not ready, or the remedy; null if it is ready. */
  readonly problem: string | null
  /** Counts of messages for the bot since the server started. */
  readonly messages: { readonly taken: number; readonly refused: Incoming['refused'] }
  readonly channels: readonly { readonly channel: DiscordChannel; readonly posts: PostCounts }[]
}

/** The connection of a fleet to Discord. */
export interface Discord extends AsyncDisposable {
  /** Signs in with a token and replaces the previous bot. In a pause, the token is only checked and stored. @throws PaddockError BAD_INPUT if Discord refuses the token */
  connect(token: string): Promise<DiscordStatus>
  /** Deletes the token. Channels are kept; waiting posts are not sent. */
  disconnect(): Promise<void>
  /** Allows only these users to give work to an agent in a channel from now on. */
  setChannel(channel: Pick<DiscordChannel, 'id' | 'agent' | 'users'>): DiscordChannel
  removeChannel(id: string): void
  status(): DiscordStatus
}

/** The age in milliseconds above which messages missed in a gap are not read. */
const gapMs = 15 * 60_000

/** Connects the stored bot, if there is one, and applies the owner's changes. */
export function startDiscord({ api, ...deps }: ConnectorDeps): Discord {
  const { fleet, warn, now } = deps
  const { store, posts } = fleet.discord
  const base = apiUrl(api)
  const incoming = incomingMessages(deps)
  const following = followWork(deps)
  let [state, problem]: [DiscordStatus['state'], string | null] = ['off', null]
  let open: { readonly link: Link; readonly posting: ReturnType<typeof startPosting>; readonly secret: Secret } | null = null
  /** The queue of messages, which are carried out one at a time, as are changes of the connection. */
  let carrying: Promise<void> = Promise.resolve()
  let changing: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = changing.then(work)
    changing = next.catch(() => undefined)
    return next
  }
  const carry = (work: () => Promise<void>): Promise<void> => {
    const next = carrying.then(work)
    carrying = next.catch(() => undefined)
    return next
  }

  /** Reads the messages of a gap, which the gateway does not send again. */
  const readGap = async (link: Link, bot: string): Promise<void> => {
    for (const { id, readTo } of store.channels()) {
      const earliest = idAt(now() - gapMs)
      const from = byAge(readTo, earliest) < 0 ? earliest : readTo
      const found = await link.rest.messagesAfter(id, from).catch((error: unknown) => {
        warn(`what was written in a channel meanwhile could not be read: ${messageOf(error)}`, { channel: id })
        return []
      })
      const messages = found.sort((one, other) => byAge(one.id, other.id))
      for (const each of messages) await carry(() => incoming.take(bot, { ...each, channel_id: id }))
    }
  }
  const begin = async (bot: DiscordBot, token: string): Promise<void> => {
    const secret = Secret.fromText('token of the Discord bot', token)
    ;[state, problem] = ['connecting', null]
    const { openLink } = await import('./link.ts')
    const link = openLink({
      ...{ token, api: base, session: store.session, remember: store.remember },
      onMessage: (data) => carry(() => incoming.take(bot.id, data)),
      onState(next, about) {
        ;[state, problem] = [next, about.problem]
        if (next === 'broken') warn(`Discord: ${about.problem}`, {})
        if (next === 'ready') {
          posts.hurry()
          open?.posting.ring()
          if (about.fresh)
            readGap(link, bot.id).catch((error: unknown) => warn(`messages of Discord could not be read: ${messageOf(error)}`, {}))
        }
      },
    })
    const onRefused = (why: string): void => {
      ;[state, problem] = ['broken', `${why} Make a new one, and run: paddock discord connect`]
    }
    open = { link, secret, posting: startPosting({ posts, rest: link.rest, events: fleet.events, warn, onRefused, now }) }
  }
  const end = async (): Promise<void> => {
    const before = open
    open = null
    ;[state, problem] = ['off', null]
    before?.posting[Symbol.dispose]()
    await before?.link[Symbol.asyncDispose]()
    await carrying
    before?.secret.dispose()
    ;[state, problem] = ['off', null]
  }
  const beginStored = async (): Promise<void> => {
    const [bot, token] = [store.bot(), store.token()]
    if (bot !== null && token !== null && fleet.paused() === null) await begin(bot, token)
  }
  const start = (): void => {
    inTurn(beginStored).catch((error: unknown) => warn(`Discord could not be reached: ${messageOf(error)}`, {}))
  }
  let wasPaused = fleet.paused() !== null
  const unlisten = fleet.events.onGrowth(() => {
    const isPaused = fleet.paused() !== null
    if (wasPaused && !isPaused) start()
    wasPaused = isPaused
  })
  start()

  const status = (): DiscordStatus => {
    const bot = store.bot()
    return {
      ...{ state, bot, problem: bot !== null && fleet.paused() !== null ? pausedText : problem },
      messages: { taken: incoming.taken, refused: { ...incoming.refused } },
      channels: store.channels().map((channel) => ({ channel, posts: posts.counts(channel.id) })),
    }
  }
  return {
    connect: (token) =>
      inTurn(async () => {
        using _ = Secret.fromText('token of the Discord bot', token)
        const { whoIs } = await import('./link.ts')
        const who = await whoIs(token, base)
        await end()
        store.connect(who, token)
        posts.hurry()
        await beginStored()
        return status()
      }),
    disconnect: () =>
      inTurn(async () => {
        if (store.bot() === null)
          throw new PaddockError('NOT_FOUND', 'No bot is connected.', { hint: 'Run: paddock discord connect --token-file FILE' })
        await end()
        store.disconnect()
      }),
    setChannel: ({ id, agent, users }) => store.setChannel({ id, agent, users, readTo: idAt(now()) }),
    removeChannel: (id) => store.removeChannel(id),
    status,
    async [Symbol.asyncDispose]() {
      unlisten()
      following[Symbol.dispose]()
      await inTurn(end)
    },
  }
}
