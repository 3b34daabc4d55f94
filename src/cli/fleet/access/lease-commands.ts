import type { Command } from 'commander'
import { choice } from '../../choice.ts'
import { collect } from '../../repeatable.ts'
import { answering } from '../../terminal/command-answer.ts'
import { serverCommand } from '../server-command.ts'

/** Adds `paddock lease`. */
export function addLeaseCommands(program: Command): void {
  const lease = program.command('lease').summary('lend agents to others')
  const add = (name: string, summary: string): Command => serverCommand(lease, name, summary)
  add('create', "lend an agent; the borrower's token is shown once")
    .argument('<agent>', 'the name of the agent')
    .requiredOption('--name <name>', 'give the lease this name')
    .requiredOption('--expires <when>', 'end it after 7d, or at a time such as 2027-01-31T12:00:00Z')
    .option('--budget <amount>', 'limit all its jobs to 5usd, 100turns, 9000tokens or 2h (repeatable)', collect, [])
    .option('--topics-allow <pattern>', 'require each text to match one of these patterns (repeatable)', collect, [])
    .option('--topics-deny <pattern>', 'refuse texts that match this pattern (repeatable)', collect, [])
    .addOption(choice('--terminal <what>', 'let the borrower read your terminals, or type in their own', ['read', 'type'], 'read'))
    .option('--tool <name>', 'let the model use only this tool (repeatable; default: all)', collect, [])
    .action(answering<'lease create'>(async () => (await import('./lease.ts')).createLease))
  add('list', 'list all leases, and what is left of them').action(
    answering<'lease list'>(async () => (await import('./lease.ts')).listLeases),
  )
  add('show', 'show one lease with its terms and newest jobs')
    .argument('<name>', 'its name or id')
    .action(answering<'lease show'>(async () => (await import('./lease.ts')).showLease))
  add('revoke', 'end a lease: its token, its jobs and their cells')
    .argument('<name>', 'its name or id')
    .action(answering<'lease revoke'>(async () => (await import('./lease.ts')).revokeLease))
}
