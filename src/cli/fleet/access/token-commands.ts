import type { Command } from 'commander'
import { choice } from '../../choice.ts'
import { answering } from '../../terminal/command-answer.ts'
import { serverCommand } from '../server-command.ts'

/** Adds `paddock token`. */
export function addTokenCommands(program: Command): void {
  const token = program.command('token').summary('manage API tokens')
  serverCommand(token, 'create', 'create a token, which is shown once')
    .argument('<name>', 'the name of the token')
    .addOption(
      choice('--role <role>', 'give these rights: owner, operator, viewer or borrower', [
        'owner',
        'operator',
        'viewer',
        'borrower',
      ]).makeOptionMandatory(),
    )
    .option('--expires <duration>', 'expire after this time, for example 30d (default: never)')
    .action(answering<'token create'>(async () => (await import('./token.ts')).createToken))
  serverCommand(token, 'list', 'list the tokens, without their secrets').action(
    answering<'token list'>(async () => (await import('./token.ts')).listTokens),
  )
  serverCommand(token, 'revoke', 'revoke a token and end its open connections')
    .argument('<name>', 'its name or id')
    .action(answering<'token revoke'>(async () => (await import('./token.ts')).revokeToken))
}
