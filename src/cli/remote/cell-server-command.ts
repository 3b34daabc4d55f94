import type { Command } from 'commander'

/** Adds `paddock cell-server`, which other machines start over SSH and users do not run. */
export function addCellServerCommand(program: Command): void {
  program
    .command('cell-server', { hidden: true })
    .option('--attach', 'connect standard input and output to the server, and start it if necessary')
    .requiredOption('--home <id>', 'the id of the home whose cells it serves')
    .option('--idle <milliseconds>', 'end after this time without a connection and a cell', '60000')
    .action(async (options) => {
      process.exitCode = await (await import('./serve-cells.ts')).cellServer(options)
    })
}
