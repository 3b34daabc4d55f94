import type { Command } from 'commander'

/** Adds `paddock fleet-host`, which servers start and users do not run. */
export function addFleetHostCommand(program: Command): void {
  program
    .command('fleet-host', { hidden: true })
    .requiredOption('--agent-root <directory>', 'the directory of the agent')
    .requiredOption('--agent <id>', 'the id of the agent')
    .requiredOption('--idle <milliseconds>', 'end after this time without a job')
    .action(async (options) => {
      process.exitCode = await (await import('./fleet-host.ts')).fleetHost(options)
    })
}
