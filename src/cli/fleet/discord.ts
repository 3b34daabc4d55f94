import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { components } from '../../client/api.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'

type Status = components['schemas']['Discord']

/** `paddock discord connect` */
export async function connectDiscord(options: ServerOptions & { readonly tokenFile: string }): Promise<number> {
  const { tokenFile } = options
  const token = (tokenFile === '-' ? await text(process.stdin) : readFileSync(tokenFile, 'utf8')).trim()
  const status = answered(await connectServer(options).PUT('/api/v1/discord', { body: { token } }))
  const name = status.bot?.name ?? 'The bot'
  return said(status, `${name} is connected. Give an agent a channel: paddock discord add AGENT CHANNEL --user ID`, options)
}

/** `paddock discord status` */
export async function discordStatus(options: ServerOptions): Promise<number> {
  const status = answered(await connectServer(options).GET('/api/v1/discord'))
  if (options.json === true) printJson(status)
  else {
    const { bot, state, problem, taken, refused, channels } = status
    const ignored = Object.entries(refused).filter(([, count]) => count > 0)
    const lines = [
      `state     ${state}${bot === null ? '' : `, as ${bot.name} (${bot.id})`}`,
      ...(problem === null ? [] : [`problem   ${problem}`]),
      `messages  ${taken} carried out, ${ignored.reduce((sum, [, count]) => sum + count, 0)} ignored${ignored.length === 0 ? '' : ` (${ignored.map(([why, count]) => `${why} ${count}`).join(', ')})`}`,
    ]
    for (const line of lines) process.stdout.write(`${printable(line)}\n`)
    if (channels.length > 0)
      for (const line of table(['CHANNEL', 'AGENT', 'POSTED', 'WAITING', 'GIVEN UP', 'PROBLEM'], channels.map(row)))
        process.stdout.write(`${line}\n`)
  }
  return status.state === 'ready' ? exitCodes.done : exitCodes.no
}

/** `paddock discord channels` */
export async function discordChannels(options: ServerOptions): Promise<number> {
  const { channels } = answered(await connectServer(options).GET('/api/v1/discord'))
  if (options.json === true) printJson({ items: channels.map(({ posts: _, ...each }) => each) })
  else if (channels.length === 0) say('no agent has a channel')
  else
    for (const line of table(
      ['CHANNEL', 'AGENT', 'USERS'],
      channels.map((each) => [each.channel, each.agent, each.users.join(',')]),
    ))
      process.stdout.write(`${line}\n`)
  return exitCodes.done
}

/** `paddock discord add` */
export async function addDiscordChannel(
  agent: string,
  channel: string,
  options: ServerOptions & { readonly user: readonly string[] },
): Promise<number> {
  if (options.user.length === 0)
    throw new PaddockError('BAD_INPUT', 'No user is given, and nobody may by default.', { hint: 'Give --user ID, once for each user' })
  const body = { agent, users: [...options.user] }
  const made = answered(await connectServer(options).PUT('/api/v1/discord/channels/{channel}', { params: { path: { channel } }, body }))
  const count = made.users.length
  return said(made, `${count} ${count === 1 ? 'user' : 'users'} may give ${made.agent} work in channel ${made.channel}.`, options)
}

/** `paddock discord remove` */
export async function removeDiscordChannel(channel: string, options: ServerOptions & { readonly user?: string }): Promise<number> {
  const server = connectServer(options)
  const params = { path: { channel } }
  if (options.user === undefined) {
    answered(await server.DELETE('/api/v1/discord/channels/{channel}', { params }))
    return said({ removed: channel }, `Channel ${channel} is removed.`, options)
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
  return said(left, `${options.user} may not give ${found.agent} work in channel ${channel} any more.`, options)
}

/** `paddock discord disconnect` */
export async function disconnectDiscord(options: ServerOptions): Promise<number> {
  answered(await connectServer(options).DELETE('/api/v1/discord'))
  return said({ disconnected: true }, 'The bot is disconnected, and its token is forgotten.', options)
}

function said(data: unknown, line: string, options: ServerOptions): number {
  if (options.json === true) printJson(data)
  else process.stdout.write(`${printable(line)}\n`)
  return exitCodes.done
}

const row = ({ channel, agent, posts }: Status['channels'][number]): readonly string[] => [
  ...[channel, agent, String(posts.posted), String(posts.waiting), String(posts.givenUp), posts.problem ?? '-'],
]
