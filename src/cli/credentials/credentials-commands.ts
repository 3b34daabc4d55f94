import type { Command } from 'commander'

/** `paddock credentials`. */
export function addCredentialCommands(program: Command): void {
  const credentials = program.command('credentials').summary('what agents are logged in with on this machine')

  credentials
    .command('list')
    .summary('source, kind, end and account of each; never a value')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { credentialsList } = await import('./credentials.ts')
      process.exitCode = await credentialsList(options)
    })

  credentials
    .command('check')
    .summary('the same, and what is wrong of each; exits 1 where one is of no use')
    .option('--online', 'renew the logins that have ended or end within minutes, now')
    .option('--json', 'as JSON')
    .action(async (options) => {
      const { credentialsCheck } = await import('./credentials.ts')
      process.exitCode = await credentialsCheck(options)
    })
}
