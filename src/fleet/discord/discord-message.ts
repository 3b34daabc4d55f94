import * as z from 'zod'
import { snowflake } from './snowflake.ts'

const user = z.object({ id: snowflake, bot: z.boolean().optional() })

/** A message from Discord, with the fields that Paddock uses. */
export const messageSchema = z.object({
  id: snowflake,
  channel_id: snowflake,
  guild_id: snowflake.optional(),
  type: z.int(),
  author: user,
  webhook_id: snowflake.optional(),
  application_id: snowflake.nullish(),
  content: z.string(),
  mentions: z.array(z.object({ id: snowflake })),
  attachments: z.array(z.unknown()),
  nonce: z.union([z.string(), z.int()]).nullish(),
  message_reference: z.object({ message_id: snowflake.optional() }).nullish(),
})
export type DiscordMessage = z.output<typeof messageSchema>

/** The configuration that determines whether a message is carried out. */
export interface Known {
  /** The id of the bot. */
  readonly bot: string
  /** The users of the channel, or null if the channel has no agent. */
  readonly users: readonly string[] | null
  /** Whether the bot wrote this message. */
  readonly isOwn: (message: string) => boolean
}

/** `others`: the message is not for the bot. All other messages are for the bot, and all but `taken` are refused. */
export type Standing = 'taken' | 'others' | 'channel' | 'user' | 'program' | 'system'

/** The types of a plain message and of a reply (discord.com/developers/docs/resources/message#message-object-message-types). */
const [plain, reply] = [0, 19]

/** Returns whether a message is carried out, based on its author and channel. By default it is not. */
export function standingOf(message: DiscordMessage, { bot, users, isOwn }: Known): Standing {
  if (message.author.id === bot) return 'others'
  const answered = message.message_reference?.message_id
  const isForBot = message.mentions.some(({ id }) => id === bot) || (answered !== undefined && isOwn(answered))
  if (!isForBot) return 'others'
  if (users === null) return 'channel'
  if (message.author.bot === true || message.webhook_id !== undefined || message.application_id != null) return 'program'
  if (message.type !== plain && message.type !== reply) return 'system'
  return users.includes(message.author.id) ? 'taken' : 'user'
}

/** Returns the text of a message without the mention of the bot at the start or the end. */
export function textFor(bot: string, content: string): string {
  const mention = `<@!?${bot}>`
  return content
    .replace(new RegExp(`^\\s*${mention}[\\s,:]*`), '')
    .replace(new RegExp(`\\s*${mention}\\s*$`), '')
    .trim()
}
