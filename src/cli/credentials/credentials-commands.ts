import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock login` and `paddock credentials`. */
export function addCredentialCommands(program: Command): void {
  const credentials = program.command('credentials').summary('list your credentials and when each expires')

  credentials
    .command('list')
    .summary('list source, kind, expiry and account of each credential, never a value')
    .option(...jsonOption)
    .action(answering<'credentials list'>(async () => (await import('./credentials.ts')).credentialsList))

  credentials
    .command('check')
    .summary('check every credential; exits 1 if one is unusable')
    .option('--online', 'renew logins that have expired or expire within minutes')
    .option(...jsonOption)
    .action(answering<'credentials check'>(async () => (await import('./credentials.ts')).credentialsCheck, 'checking credentials'))

  program
    .command('login')
    .summary('log in an agent inside a cell, and keep the login in a volume')
    .usage('[options] <agent> [args…]')
    .argument('<agent>', 'claude, codex, gemini, opencode or grok')
    .argument('[args...]', "arguments for the agent's own login, for example --device-auth of codex")
    .passThroughOptions()
    .option('--volume <name>', 'keep the login in this volume', 'default')
    .option('--json', "print JSON; the agent's output goes to standard error")
    .action(answering<'login'>(async () => (await import('./login-command.ts')).loginCommand))
}
