import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock remote` with its commands. */
export function addRemoteCommands(program: Command): void {
  const remote = program.command('remote').summary('add, check, list and remove machines for paddock run --on')
  remote
    .command('add')
    .summary('add a machine that OpenSSH reaches, after you agree to its key')
    .argument('<name>', 'what you call it')
    .argument('<address>', '[user@]host[:port], or an alias of your SSH configuration')
    .option('--program <path>', 'start this Paddock there, instead of a copy of this one')
    .option('--fingerprint <text>', 'agree to the host key with this fingerprint (SHA256:…)')
    .option(...jsonOption)
    .action(answering<'remote add'>(async () => (await import('./remotes.ts')).addCommand))
  remote
    .command('check')
    .summary('show what a machine can enforce, by its own paddock doctor')
    .argument('<name>', 'the name of a machine')
    .option('--verify', 'also test every guarantee there, which takes minutes')
    .option(...jsonOption)
    .action(answering<'remote check'>(async () => (await import('./remotes.ts')).checkCommand, 'checking the other machine'))
  remote
    .command('list')
    .summary('list the machines')
    .option(...jsonOption)
    .action(answering<'remote list'>(async () => (await import('./remotes.ts')).listCommand))
  remote
    .command('remove')
    .summary('forget a machine and its key')
    .argument('<name>', 'the name of a machine')
    .option(...jsonOption)
    .action(answering<'remote remove'>(async () => (await import('./remotes.ts')).removeCommand))
}
