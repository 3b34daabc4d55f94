import type { Command } from 'commander'
import { dataOption } from '../fleet/data-option.ts'

/** Adds the commands that speak a protocol on standard input and output. */
export function addProtocolCommands(program: Command): void {
  program
    .command('mcp')
    .summary('serve MCP on standard input and output: start, watch and read contests')
    .requiredOption('--root <directory>', 'serve only contests in this directory and its subdirectories')
    .option('--fleet', 'let clients see agents of the running fleet and create jobs for them')
    .option(...dataOption)
    .action(async (options) => {
      const { mcpCommand } = await import('./mcp-command.ts')
      mcpCommand(options)
    })

  program
    .command('acp')
    .summary('serve ACP for an editor: each prompt is a run in a cell')
    .usage('[options of paddock run] <agent> [args…]   or   paddock acp [options of paddock run] -- <command…>')
    .argument('[words...]', 'an agent with its own arguments, or after -- a command')
    .allowUnknownOption()
    .passThroughOptions()
    .action(async () => {
      const { acpCommand } = await import('./acp.ts')
      // These options are parsed by paddock run.
      await acpCommand(process.argv.slice(3))
    })
}
