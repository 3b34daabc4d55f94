import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { answering } from '../terminal/command-answer.ts'

/** Adds `paddock attest`. */
export function addAttestCommands(program: Command): void {
  const load = async () => await import('./attest-command.ts')
  const attest = program.command('attest').summary('sign statements about finished work, and verify them')

  attest
    .command('make')
    .summary('sign an in-toto statement about finished work')
    .argument('<work>', 'the id of a cell, an applied copy or a job, or a contest directory')
    .option('--output <file>', 'write the statement to this file instead of printing it')
    .option(...jsonOption)
    .action(answering<'attest make'>(async () => (await load()).attestMake, 'checking the log'))

  attest
    .command('verify')
    .summary('check a signed statement, without a network; exits 1 if it is not valid')
    .argument('<file>', 'the statement')
    .option('--key <file>', 'check with this public key (PEM) instead of your own')
    .option('--subject <digest>', 'check that it is about this commit or SHA-256')
    .option(...jsonOption)
    .action(answering<'attest verify'>(async () => (await load()).attestVerify))

  attest
    .command('key')
    .summary('print your public key for statements; the first use creates it')
    .option(...jsonOption)
    .action(answering<'attest key'>(async () => (await load()).attestKey))
}
