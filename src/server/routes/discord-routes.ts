import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { Discord, DiscordStatus } from '../../fleet/discord/discord-connector.ts'
import { snowflake } from '../../fleet/discord/snowflake.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { DiscordChannel } from '../../fleet/store/discord-store.ts'
import type { App } from '../server-deps.ts'

export const channelSchema = z
  .object({
    channel: z.string(),
    agent: z.string().describe('The name of the agent.'),
    agentId: z.string(),
    users: z.array(z.string()).describe('The ids of the users who may give it work.'),
    createdAt: z.string(),
  })
  .meta({ id: 'DiscordChannel' })
const postsSchema = z.object({
  waiting: z.int(),
  posted: z.int(),
  givenUp: z.int(),
  problem: z.string().nullable().describe('Why the newest failed attempt failed; null if none did.'),
})
export const statusSchema = z
  .object({
    state: z.enum(['off', 'connecting', 'ready', 'broken']).describe('broken: not tried again until a bot is connected.'),
    bot: z.object({ id: z.string(), name: z.string(), createdAt: z.string() }).nullable(),
    problem: z.string().nullable().describe('Why it is not ready, and how to fix it.'),
    taken: z.int().describe('Messages that were accepted since the server started.'),
    refused: z
      .object({ channel: z.int(), user: z.int(), program: z.int(), system: z.int() })
      .describe('Messages to the bot that were ignored: in another channel, from another user, from a bot or webhook, or system messages.'),
    channels: z.array(channelSchema.extend({ posts: postsSchema })),
  })
  .meta({ id: 'Discord' })
const params = z.object({ channel: snowflake.describe('The id of the channel.') })

/** `/api/v1/discord`: lets Discord users give work to agents. */
export function discordRoutes(app: App, fleet: Fleet, discord: Discord): void {
  const viewOf = ({ id, agent, users, createdAt }: DiscordChannel): z.output<typeof channelSchema> => ({
    ...{ channel: id, agent: fleet.agents.get(agent)?.name ?? agent, agentId: agent, users: [...users], createdAt },
  })
  const view = ({ state, bot, problem, messages, channels }: DiscordStatus): z.output<typeof statusSchema> => ({
    ...{ state, bot, problem, taken: messages.taken, refused: { ...messages.refused } },
    channels: channels.map(({ channel, posts }) => ({ ...viewOf(channel), posts })),
  })
  app.get(
    '/api/v1/discord',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'getDiscord',
        summary: 'Returns the bot of the fleet at Discord, its channels, and what was posted, without its token.',
        response: { 200: statusSchema },
      },
    },
    () => view(discord.status()),
  )
  app.put(
    '/api/v1/discord',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'connectDiscord',
        summary: 'Signs in to Discord with the token of a bot, which replaces the previous one. No answer contains the token.',
        body: z.strictObject({
          token: z.string().regex(/^[\x21-\x7e]{20,200}$/, { error: 'must have 20 to 200 printable ASCII characters without spaces' }),
        }),
        response: { 200: statusSchema },
      },
    },
    async ({ body }) => view(await discord.connect(body.token)),
  )
  app.delete(
    '/api/v1/discord',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'disconnectDiscord',
        summary: 'Signs out and forgets the token. Channels are kept, and waiting posts are not sent.',
        response: { 204: z.undefined() },
      },
    },
    async (_, reply) => {
      await discord.disconnect()
      return reply.code(204).send()
    },
  )
  app.put(
    '/api/v1/discord/channels/:channel',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'setDiscordChannel',
        summary: 'Lets only these users give an agent work in a channel. An agent has one channel.',
        params,
        body: z.strictObject({
          agent: z.string().max(100),
          users: z.array(snowflake).min(1).max(200).describe('The ids of users.'),
        }),
        response: { 200: channelSchema },
      },
    },
    ({ params, body }) => {
      const agent = fleet.agents.find(body.agent)
      if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
      return viewOf(discord.setChannel({ id: params.channel, agent: agent.id, users: body.users }))
    },
  )
  app.delete(
    '/api/v1/discord/channels/:channel',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'removeDiscordChannel',
        summary: 'Stops taking work from this channel and posting to it. Jobs continue.',
        params,
        response: { 204: z.undefined() },
      },
    },
    async ({ params }, reply) => {
      discord.removeChannel(params.channel)
      return reply.code(204).send()
    },
  )
}
