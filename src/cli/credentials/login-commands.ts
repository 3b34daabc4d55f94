import type { Command } from 'commander'
import { collect } from '../repeatable.ts'

/** `paddock login` and `paddock clean`. */
export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .summary('log an agent in where this machine has no login of it: its own login, in a cell, into a volume')
    .usage('[options] <agent> [args…]')
    .argument('<agent>', 'claude, codex, gemini, opencode or grok')
    .argument('[args...]', 'for the login of the agent itself, for example --device-auth of codex')
    .passThroughOptions()
    .option('--volume <name>', 'the volume that the login is put into', 'default')
    .option('--json', 'what came of it as JSON; what the agent prints is on standard error')
    .action(async (agent: string, args: string[], options) => {
      const { loginCommand } = await import('./login.ts')
      process.exitCode = await loginCommand(agent, args, options)
    })

  program
    .command('clean')
    .summary('remove what cells and killed processes left behind: copies of logins, scratch directories')
    .option('--keep-credentials', 'leave copies of logins')
    .option('--volume <agent[/name]>', 'only remove this volume of paddock login, and the login in it (repeatable)', collect, [])
    .option('--dry-run', 'only say what would be removed')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { cleanCommand } = await import('../machine/clean.ts')
      process.exitCode = await cleanCommand(options)
    })
}
