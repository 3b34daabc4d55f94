import type { Command } from 'commander'
import { dataOption } from './data-option.ts'

/** `paddock shell` and `paddock session …` */
export function addShellCommands(program: Command): void {
  program
    .command('shell')
    .summary('the terminal of an agent in this one; Ctrl-] leaves it, and it goes on')
    .argument('<agent>', 'the name of an agent: its newest terminal, or a new one; or the id of a session')
    .argument('[command...]', 'what runs in a new terminal; without it the CLI of the agent, or a shell for a model')
    .option('--new', 'open another terminal although there is one')
    .option('--watch', 'look without typing')
    .option('--lease <name>', 'in the home and workspace of this lease, whose borrower sees it')
    .option(...dataOption)
    .action(async (agent: string, command: readonly string[], options) => {
      process.exitCode = await (await import('./shell.ts')).shell(agent, command, options)
    })

  const session = program.command('session').summary('terminals of agents')
  const add = (name: string, summary: string): Command =>
    session
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')
  add('list', 'those that are open').action(async (options) => {
    process.exitCode = await (await import('./shell.ts')).listSessions(options)
  })
  add('end', 'end a terminal, with all that runs in it')
    .argument('<session>', 'its id')
    .action(async (id: string, options) => {
      process.exitCode = await (await import('./shell.ts')).endSession(id, options)
    })
}
