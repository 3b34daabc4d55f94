import type { Command } from 'commander'
import { dataOption } from '../fleet/data-option.ts'

/** What speaks a protocol of programs on standard input and output. */
export function addProtocolCommands(program: Command): void {
  program
    .command('mcp')
    .summary('an MCP server on standard input and output: start, watch and read contests')
    .requiredOption('--root <directory>', 'contests in and below this directory, and no others')
    .option('--fleet', 'also see agents of the running fleet, and give them jobs')
    .option(...dataOption)
    .action(async (options) => {
      const { mcpCommand } = await import('./mcp.ts')
      mcpCommand(options)
    })
}
