import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { exitCodes, PaddockError } from '../../../base/errors.ts'
import type { components } from '../../../client/api.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'

type Status = components['schemas']['Discord']

/** Runs `paddock discord connect`. */
export async function connectDiscord(options: ServerOptions & { readonly tokenFile: string }): Promise<Answer<Status>> {
  const { tokenFile } = options
  const token = (tokenFile === '-' ? await text(process.stdin) : readFileSync(tokenFile, 'utf8')).trim()
  const status = answered(await connectServer(options).PUT('/api/v1/discord', { body: { token } }))
  const name = status.bot?.name ?? 'The bot'
  const notes = status.state === 'off' && status.problem !== null ? [status.problem] : []
  return { data: status, notes, lines: [`${name} is connected. Give an agent a channel: paddock discord add AGENT CHANNEL --user ID`] }
}

/** `paddock discord status`: exit code 1 if the bot is not connected. */
export async function discordStatus(options: ServerOptions): Promise<Answer<Status>> {
  const status = answered(await connectServer(options).GET('/api/v1/discord'))
  const { bot, state, problem, taken, refused, channels } = status
  const ignored = Object.entries(refused).filter(([, count]) => count > 0)
  const sum = ignored.reduce((all, [, count]) => all + count, 0)
  const reasons = ignored.length === 0 ? '' : ` (${ignored.map(([why, count]) => `${why} ${count}`).join(', ')})`
  return {
    data: status,
    lines: [
      `state     ${state}${bot === null ? '' : `, as ${bot.name} (${bot.id})`}`,
      ...(problem === null ? [] : [`problem   ${problem}`]),
      `messages  ${taken} carried out, ${sum} ignored${reasons}`,
      ...(channels.length === 0 ? [] : table(['CHANNEL', 'AGENT', 'POSTED', 'WAITING', 'GIVEN UP', 'PROBLEM'], channels.map(row))),
    ],
    exitCode: state === 'ready' ? exitCodes.done : exitCodes.no,
  }
}

/** Runs `paddock discord channels`. */
export async function discordChannels(options: ServerOptions): Promise<Answer<Result<'discord channels'>>> {
  const { channels } = answered(await connectServer(options).GET('/api/v1/discord'))
  const items = channels.map(({ posts: _, ...each }) => each)
  if (items.length === 0) return { data: { items }, notes: ['no agent has a channel'] }
  const rows = items.map((each) => [each.channel, each.agent, each.users.join(',')])
  return { data: { items }, lines: table(['CHANNEL', 'AGENT', 'USERS'], rows) }
}

/** Runs `paddock discord add`. */
export async function addDiscordChannel(
  agent: string,
  channel: string,
  options: ServerOptions & { readonly user: readonly string[] },
): Promise<Answer<Result<'discord add'>>> {
  if (options.user.length === 0)
    throw new PaddockError('BAD_INPUT', 'No user is given, and nobody is allowed by default.', {
      hint: 'Give --user ID, once for each user',
    })
  const body = { agent, users: [...options.user] }
  const made = answered(await connectServer(options).PUT('/api/v1/discord/channels/{channel}', { params: { path: { channel } }, body }))
  const count = made.users.length
  return { data: made, lines: [`${count} ${count === 1 ? 'user' : 'users'} can create jobs for ${made.agent} in channel ${made.channel}.`] }
}

/** Runs `paddock discord remove`. */
export async function removeDiscordChannel(
  channel: string,
  options: ServerOptions & { readonly user?: string },
): Promise<Answer<Result<'discord remove'>>> {
  const server = connectServer(options)
  const params = { path: { channel } }
  if (options.user === undefined) {
    answered(await server.DELETE('/api/v1/discord/channels/{channel}', { params }))
    return { data: { removed: channel }, lines: [`Channel ${channel} is removed.`] }
  }
  const found = answered(await server.GET('/api/v1/discord')).channels.find((each) => each.channel === channel)
  if (found === undefined || !found.users.includes(options.user))
    throw new PaddockError('NOT_FOUND', `${options.user} is not a user of channel ${channel}.`, { hint: 'Run: paddock discord channels' })
  const users = found.users.filter((each) => each !== options.user)
  if (users.length === 0)
    throw new PaddockError('BAD_INPUT', `${options.user} is the last user of channel ${channel}.`, {
      hint: `Run: paddock discord remove ${channel}`,
    })
  const left = answered(await server.PUT('/api/v1/discord/channels/{channel}', { params, body: { agent: found.agentId, users } }))
  return { data: left, lines: [`${options.user} can no longer create jobs for ${found.agent} in channel ${channel}.`] }
}

/** Runs `paddock discord disconnect`. */
export async function disconnectDiscord(options: ServerOptions): Promise<Answer<Result<'discord disconnect'>>> {
  answered(await connectServer(options).DELETE('/api/v1/discord'))
  return { data: { disconnected: true }, lines: ['The bot is disconnected, and its token is forgotten.'] }
}

const row = ({ channel, agent, posts }: Status['channels'][number]): readonly string[] => [
  ...[channel, agent, String(posts.posted), String(posts.waiting), String(posts.givenUp), posts.problem ?? '-'],
]
