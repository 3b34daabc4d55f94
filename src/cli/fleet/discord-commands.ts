import type { Command } from 'commander'
import { collect } from '../repeatable.ts'
import { dataOption } from './data-option.ts'

/** `paddock discord …` */
export function addDiscordCommands(program: Command): void {
  const discord = program.command('discord').summary('users of Discord give agents work, each in its channel')
  const add = (name: string, summary: string): Command =>
    discord
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')
  add('connect', 'sign in as a bot, in place of the one of before')
    .requiredOption('--token-file <file>', 'the file with its token; -: from standard input')
    .action(async (options) => {
      process.exitCode = await (await import('./discord.ts')).connectDiscord(options)
    })
  add('status', 'whether the bot is connected, and how posting stands; exits 1 if it is not').action(async (options) => {
    process.exitCode = await (await import('./discord.ts')).discordStatus(options)
  })
  add('channels', 'the channels, with their agents and users').action(async (options) => {
    process.exitCode = await (await import('./discord.ts')).discordChannels(options)
  })
  add('add', 'let users give an agent work in a channel, and no others')
    .argument('<agent>', 'its name or id')
    .argument('<channel>', 'the id of the channel')
    .option('--user <id>', 'the id of a user who may (repeatable)', collect, [])
    .action(async (agent: string, channel: string, options) => {
      process.exitCode = await (await import('./discord.ts')).addDiscordChannel(agent, channel, options)
    })
  add('remove', 'end work and posts in a channel, or the rights of one user there')
    .argument('<channel>', 'the id of the channel')
    .option('--user <id>', 'only this user; the channel stays')
    .action(async (channel: string, options) => {
      process.exitCode = await (await import('./discord.ts')).removeDiscordChannel(channel, options)
    })
  add('disconnect', 'sign out and forget the token; channels stay').action(async (options) => {
    process.exitCode = await (await import('./discord.ts')).disconnectDiscord(options)
  })
}
