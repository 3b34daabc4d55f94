import type { Command } from 'commander'
import { collect } from '../repeatable.ts'
import { answering } from '../terminal/command-answer.ts'

const passphraseOption = ['--passphrase-fd <number>', 'read the passphrase from this file descriptor (first line)'] as const

/** Adds `paddock vault`. */
export function addVaultCommands(program: Command): void {
  const vault = program.command('vault').summary('keep your own keys in one encrypted file')
  const add = (name: string, summary: string): Command =>
    vault.command(name).summary(summary).option('--json', 'print JSON, without any value')

  add('init', 'create a new, empty vault')
    .option('--keyring', 'keep its key in the system keyring instead of using a passphrase')
    .option(...passphraseOption)
    .action(answering<'vault init'>(async () => (await import('./vault-key.ts')).vaultInit))

  add('set', 'store a secret; asks for its value or reads it from standard input')
    .argument('<name>', 'the name of the secret')
    .option('--host <host>', 'allow it to be sent to this host, or to *.name (repeatable)', collect, [])
    .option('--place <place>', 'put it in this part of requests: header:NAME, query:NAME or basic:USER')
    .option(...passphraseOption)
    .action(answering<'vault set'>(async () => (await import('./vault-entries.ts')).vaultSet))

  add('list', 'list names, hosts and sizes of the secrets')
    .option(...passphraseOption)
    .action(answering<'vault list'>(async () => (await import('./vault-entries.ts')).vaultList))

  add('show', 'show the details of one secret')
    .argument('<name>', 'the name of the secret')
    .option('--reveal', 'print its value, if standard output is a terminal')
    .option(...passphraseOption)
    .action(answering<'vault show'>(async () => (await import('./vault-entries.ts')).vaultShow))

  add('rm', 'remove a secret')
    .argument('<name>', 'the name of the secret')
    .option(...passphraseOption)
    .action(answering<'vault rm'>(async () => (await import('./vault-entries.ts')).vaultRemove))

  add('unlock', 'let commands read the vault without asking, for a limited time')
    .option('--for <duration>', 'stay unlocked for this time, at most 24h', '15m')
    .option(...passphraseOption)
    .action(answering<'vault unlock'>(async () => (await import('./vault-unlock.ts')).vaultUnlock))

  add('lock', 'lock the vault now').action(answering<'vault lock'>(async () => (await import('./vault-unlock.ts')).vaultLock))

  add('export', 'write all secrets to an age file for another passphrase or key')
    .requiredOption('--to <file>', 'write this file, which must not exist')
    .option('--recipient <age1…>', 'encrypt it for this public key instead of a new passphrase')
    .option('--plain', 'write every value unencrypted; requires --reveal and a terminal')
    .option('--reveal', 'confirm --plain')
    .option(...passphraseOption)
    .option('--new-passphrase-fd <number>', 'read the new passphrase from this file descriptor')
    .action(answering<'vault export'>(async () => (await import('./vault-export.ts')).vaultExport))

  add('rekey', 'change the passphrase, or move from a passphrase to the keyring or back')
    .option('--keyring', 'keep a key in the system keyring from now on')
    .option('--passphrase', 'use a passphrase from now on')
    .option(...passphraseOption)
    .option('--new-passphrase-fd <number>', 'read the new passphrase from this file descriptor')
    .action(answering<'vault rekey'>(async () => (await import('./vault-key.ts')).vaultRekey))

  vault
    .command('agent', { hidden: true })
    .requiredOption('--until <milliseconds>')
    .action(async (options) => {
      process.exitCode = await (await import('./vault-agent.ts')).vaultAgent(options)
    })
}
