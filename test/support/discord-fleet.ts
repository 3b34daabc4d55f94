import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { paddock } from './cli.ts'
import { type DiscordServer, type Posted, startDiscordServer } from './discord-server.ts'
import { type ModelFleet, startModelFleet } from './fleet-models.ts'

/** A fleet with a Discord server on this machine, and helpers for both. */
export interface DiscordFleet extends ModelFleet {
  readonly discord: DiscordServer
  /** Runs `paddock discord …`. */
  run(...words: readonly string[]): ReturnType<typeof paddock>
  /** Logs the bot in, and resolves when it is ready. */
  connect(): Promise<void>
  status(): Promise<Status>
  jobs(
    agent: string,
  ): Promise<readonly { readonly id: string; readonly state: string; readonly promptStart: string; readonly requestedBy: string }[]>
  /** Creates an agent with its own channel; returns the channel. */
  withChannel(agent: string, manifest: Readonly<Record<string, unknown>>, users?: readonly string[]): Promise<string>
  /** Returns the manifest of a model agent. */
  model(more?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Resolves to the post that replies to a message, once it contains this text. */
  postTo(message: string, has: string): Promise<Posted>
  /** Resolves to the newest post in a channel with this text. */
  postIn(channel: string, has: string): Promise<Posted>
  audited(kind: string): Promise<readonly { readonly actor: string; readonly data: Readonly<Record<string, string>> }[]>
}

type Status = NonNullable<Awaited<ReturnType<typeof statusOf>>>
const statusOf = async ({ fleet }: ModelFleet) => (await fleet.api.GET('/api/v1/discord')).data

/** Polls until `find` returns a result, and resolves to it. */
export async function found<T>(find: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const it = await find()
    if (it !== undefined && it !== false) return it
    await setTimeout(20)
  }
}

/** Returns the manifest of a command agent. */
export const shell = (script: string) => ({ agent: 'command', command: ['sh', '-c', script], egress: { policy: 'off' } })

export const replyOf = ({ body }: Posted): unknown => (body['message_reference'] as { message_id?: string } | undefined)?.message_id

export async function startDiscordFleet(): Promise<DiscordFleet> {
  const discord = await startDiscordServer()
  const here = await startModelFleet()
  const { fleet, models } = here
  const file = path.join(fleet.stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}  discord: { api: '${discord.api}' }\n`)
  // The server reads the file only at startup.
  await fleet.replace()
  const run = (...words: readonly string[]) => paddock(fleet.stage, ['discord', ...words, '--data', fleet.data])
  const status = () => found(() => statusOf(here))
  return {
    ...here,
    discord,
    run,
    status,
    async connect() {
      const { error } = await fleet.api.PUT('/api/v1/discord', { body: { token: discord.token } })
      if (error !== undefined) throw new Error(JSON.stringify(error))
      await found(async () => (await status()).state === 'ready')
    },
    jobs: async (agent) => (await fleet.api.GET('/api/v1/jobs', { params: { query: { agent, limit: 100 } } })).data?.items ?? [],
    async withChannel(agent, manifest, users = [discord.user]) {
      await here.createAny({ name: agent, ...manifest })
      const channel = discord.id()
      const body = { agent, users: [...users] }
      const { error } = await fleet.api.PUT('/api/v1/discord/channels/{channel}', { params: { path: { channel } }, body })
      if (error !== undefined) throw new Error(JSON.stringify(error))
      return channel
    },
    model: (more = {}) => ({
      ...{ kind: 'model', provider: 'openai-compatible', baseUrl: `${models.url}/v1`, model: 'm', keyless: true },
      ...{ egress: { policy: 'off' }, ...more },
    }),
    postTo: (message, has) => found(() => discord.posted.find((each) => replyOf(each) === message && each.content.includes(has))),
    postIn: (channel, has) => found(() => discord.posted.findLast((each) => each.channel === channel && each.content.includes(has))),
    async audited(kind) {
      const { stdout } = await paddock(fleet.stage, ['audit', 'tail', '-n', '1000', '--kind', kind, '--json'])
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    },
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]()
      await discord[Symbol.asyncDispose]()
    },
  }
}
