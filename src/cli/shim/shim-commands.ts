import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

const directoryOption = ['--directory <directory>', "use this directory for shims, instead of Paddock's own"] as const

/** Adds `paddock shim` with its commands. */
export function addShimCommands(program: Command): void {
  const shim = program.command('shim').summary('start agents in cells when other programs start them by name')
  shim
    .command('install')
    .summary('write programs with the names of agents that start these agents in cells')
    .argument('<agents...>', 'agents that are installed on this machine')
    .option(...directoryOption)
    .addHelpText('after', '\nFor example: paddock shim install claude codex')
    .option(...jsonOption)
    .action(answering<'shim install'>(async () => (await import('./shim.ts')).installCommand))
  shim
    .command('list')
    .summary('list the shims, and what agents that they start do not have')
    .option(...directoryOption)
    .option(...jsonOption)
    .action(answering<'shim list'>(async () => (await import('./shim.ts')).listCommand))
  shim
    .command('remove')
    .summary('delete shims')
    .argument('<agents...>', 'agents that have a shim')
    .option(...directoryOption)
    .option(...jsonOption)
    .action(answering<'shim remove'>(async () => (await import('./shim.ts')).removeCommand))
}
