import type { Command } from 'commander'
import { collect } from '../../repeatable.ts'
import { answering } from '../../terminal/command-answer.ts'
import { serverCommand } from '../server-command.ts'

/** Adds `paddock discord`. */
export function addDiscordCommands(program: Command): void {
  const discord = program.command('discord').summary('let Discord users create jobs, for each agent in its own channel')
  const add = (name: string, summary: string): Command => serverCommand(discord, name, summary)
  add('connect', 'sign in as a bot, which replaces the previous one')
    .requiredOption('--token-file <file>', "read the bot's token from this file; - is standard input")
    .action(answering<'discord connect'>(async () => (await import('./discord-command.ts')).connectDiscord))
  add('status', 'show the state of the bot; exits 1 if it is not connected').action(
    answering<'discord status'>(async () => (await import('./discord-command.ts')).discordStatus),
  )
  add('channels', 'list the channels with their agents and users').action(
    answering<'discord channels'>(async () => (await import('./discord-command.ts')).discordChannels),
  )
  add('add', 'let only these users create jobs for an agent in a channel')
    .argument('<agent>', 'its name or id')
    .argument('<channel>', 'the id of the channel')
    .option('--user <id>', 'allow the user with this id (repeatable)', collect, [])
    .action(answering<'discord add'>(async () => (await import('./discord-command.ts')).addDiscordChannel))
  add('remove', 'stop jobs and posts in a channel, or remove one user from it')
    .argument('<channel>', 'the id of the channel')
    .option('--user <id>', 'remove only this user, and keep the channel')
    .action(answering<'discord remove'>(async () => (await import('./discord-command.ts')).removeDiscordChannel))
  add('disconnect', 'sign out, forget the token, and keep the channels').action(
    answering<'discord disconnect'>(async () => (await import('./discord-command.ts')).disconnectDiscord),
  )
}
