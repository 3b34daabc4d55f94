import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock ps`, `paddock logs`, `paddock stop` and `paddock reset`. */
export function addCellCommands(program: Command): void {
  program
    .command('ps')
    .summary('list the running cells of all processes')
    .option(...jsonOption)
    .action(answering<'ps'>(async () => (await import('./cells-command.ts')).psCommand))
  program
    .command('logs')
    .summary('print what a running cell has output so far')
    .argument('<id>', 'its id, or the start of it')
    .option(...jsonOption)
    .action(answering<'logs'>(async () => (await import('./cells-command.ts')).logsCommand))
  program
    .command('stop')
    .summary('end a running cell, as Ctrl-C does where it was started')
    .argument('<id>', 'its id, or the start of it')
    .option('--grace <duration>', 'kill the cell if it has not ended by itself after this time', '5s')
    .option(...jsonOption)
    .action(answering<'stop'>(async () => (await import('./cells-command.ts')).stopCommand, 'waiting for the cell to end'))
  program
    .command('reset')
    .summary('delete private homes: conversations, caches and settings')
    .argument('[project]', 'the project; by default, that of the working directory')
    .argument('[agent]', 'the agent; by default, all of them')
    .option(...jsonOption)
    .action(answering<'reset'>(async () => (await import('./reset-command.ts')).resetCommand, 'deleting'))
}
