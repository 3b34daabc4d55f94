import type { Command } from 'commander'
import { collect } from '../repeatable.ts'

const descriptor = 'read the passphrase from this file descriptor (first line)'

/** `paddock vault` and its words. */
export function addVaultCommands(program: Command): void {
  const vault = program.command('vault').summary('your own keys, in one encrypted file')
  const word = (name: string, summary: string): Command => vault.command(name).summary(summary).option('--json', 'as JSON; never a value')

  word('init', 'make a new, empty vault')
    .option('--keyring', 'keep its key in the keyring of the system in place of a passphrase')
    .option('--passphrase-fd <number>', descriptor)
    .action(async (options) => {
      process.exitCode = await (await import('./vault.ts')).vaultInit(options)
    })

  word('set', 'store a secret; its value is asked for, or read from standard input')
    .argument('<name>', 'what it is called from now on')
    .option('--host <host>', 'a host that it may be sent to: a name, or *.name for those below it (repeatable)', collect, [])
    .option('--place <place>', 'where in a request it belongs: header:x-api-key, header:authorization=Bearer, query:key or basic:user')
    .option('--passphrase-fd <number>', descriptor)
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./vault.ts')).vaultSet(name, options)
    })

  word('list', 'names, hosts and sizes of what is in it')
    .option('--passphrase-fd <number>', descriptor)
    .action(async (options) => {
      process.exitCode = await (await import('./vault.ts')).vaultList(options)
    })

  word('show', 'what is known of one secret')
    .argument('<name>')
    .option('--reveal', 'its value; only where standard output is a terminal')
    .option('--passphrase-fd <number>', descriptor)
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./vault.ts')).vaultShow(name, options)
    })

  word('rm', 'remove a secret')
    .argument('<name>')
    .option('--passphrase-fd <number>', descriptor)
    .action(async (name: string, options) => {
      process.exitCode = await (await import('./vault.ts')).vaultRemove(name, options)
    })

  word('unlock', 'let later commands read it without asking, for a time')
    .option('--for <duration>', 'how long, at most 24h', '15m')
    .option('--passphrase-fd <number>', descriptor)
    .action(async (options) => {
      process.exitCode = await (await import('./vault.ts')).vaultUnlock(options)
    })

  word('lock', 'end that now').action(async (options) => {
    process.exitCode = await (await import('./vault.ts')).vaultLock(options)
  })

  word('export', 'write all of it as an age file for another passphrase or key')
    .requiredOption('--to <file>', 'a file that is not there yet')
    .option('--recipient <age1…>', 'the public key that it is for; a new passphrase is asked for without it')
    .option('--plain', 'write every value as it is, encrypted by nothing; with --reveal, at a terminal')
    .option('--reveal', 'with --plain')
    .option('--passphrase-fd <number>', descriptor)
    .option('--new-passphrase-fd <number>', 'read the passphrase of the exported file from this file descriptor')
    .action(async (options) => {
      process.exitCode = await (await import('./vault-export.ts')).vaultExport(options)
    })

  word('rekey', 'change the passphrase, or go from a passphrase to the keyring or back')
    .option('--keyring', 'keep a key in the keyring of the system from now on')
    .option('--passphrase', 'ask for a passphrase from now on')
    .option('--passphrase-fd <number>', descriptor)
    .option('--new-passphrase-fd <number>', 'read the new passphrase from this file descriptor')
    .action(async (options) => {
      process.exitCode = await (await import('./vault.ts')).vaultRekey(options)
    })

  vault
    .command('agent', { hidden: true })
    .requiredOption('--until <milliseconds>')
    .action(async (options) => {
      process.exitCode = await (await import('./vault-agent.ts')).vaultAgent(options)
    })
}
