import type { Command } from 'commander'
import { collect } from '../repeatable.ts'
import { dataOption } from './data-option.ts'

/** `paddock lease …` */
export function addLeaseCommands(program: Command): void {
  const lease = program.command('lease').summary('lend agents to others')
  const add = (name: string, summary: string): Command =>
    lease
      .command(name)
      .summary(summary)
      .option(...dataOption)
      .option('--json', 'as JSON')
  add('create', 'lend an agent; the token of the borrower is shown once')
    .argument('<agent>', 'the name of the agent')
    .requiredOption('--name <name>', 'what the lease is called')
    .requiredOption('--expires <when>', 'a duration such as 7d, or a time such as 2027-01-31T12:00:00Z')
    .option('--budget <amount>', 'what all jobs may use: 5usd, 100turns, 9000tokens or 2h; repeatable', collect, [])
    .option('--topics-allow <pattern>', 'regular expression; one must match each text; repeatable', collect, [])
    .option('--topics-deny <pattern>', 'regular expression; none may match a text; repeatable', collect, [])
    .option('--terminal <what>', 'read: sees terminals that you open in the lease; type: opens one and types', 'read')
    .option('--tool <name>', 'a tool that is left to a model; repeatable; all by default', collect, [])
    .action(async (agent: string, options) => {
      process.exitCode = await (await import('./lease.ts')).createLease(agent, options)
    })
  add('list', 'all leases, and what is left of them').action(async (options) => {
    process.exitCode = await (await import('./lease.ts')).listLeases(options)
  })
  for (const [act, summary, handler] of [
    ['show', 'one lease with its terms, and its newest jobs', 'showLease'],
    ['revoke', 'end a lease: its token, its jobs and their cells', 'revokeLease'],
  ] as const)
    add(act, summary)
      .argument('<name>', 'its name or id')
      .action(async (name: string, options) => {
        process.exitCode = await (await import('./lease.ts'))[handler](name, options)
      })
}
