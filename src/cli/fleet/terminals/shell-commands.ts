import type { Command } from 'commander'
import { answering } from '../../terminal/command-answer.ts'
import { dataOption } from '../data-option.ts'
import { serverCommand } from '../server-command.ts'

/** Adds `paddock shell` and `paddock session`. */
export function addShellCommands(program: Command): void {
  program
    .command('shell')
    .summary('attach to the terminal of an agent; Ctrl-] leaves it running')
    .argument('<agent>', 'the name of an agent (its newest terminal, or a new one), or the id of a session')
    .argument('[command...]', "the command for a new terminal (default: the agent's CLI, or a shell)")
    .option('--new', 'open a new terminal even if one is already open')
    .option('--watch', 'watch without typing')
    .option('--lease <name>', 'use the home and workspace of this lease; its borrower can watch')
    .option(...dataOption)
    .action(async (agent: string, command: readonly string[], options) => {
      process.exitCode = await (await import('./shell-command.ts')).shell(agent, command, options)
    })

  const session = program.command('session').summary('list and end terminals of agents')
  serverCommand(session, 'list', 'list the open terminals').action(
    answering<'session list'>(async () => (await import('./attached-session.ts')).listSessions),
  )
  serverCommand(session, 'end', 'end a terminal and everything that runs in it')
    .argument('<session>', 'its id')
    .action(answering<'session end'>(async () => (await import('./attached-session.ts')).endSession))
}
