import { PaddockError } from '../../base/errors.ts'
import type { RunOptions } from './options.ts'

/**
 * Throws BAD_INPUT for options that are empty or have no effect with a bare command, because a user might rely on them.
 * `--credentials none` also withholds the logins of forges, so it is allowed with a command.
 */
export function refuseWithoutEffect(words: readonly string[], isCommand: boolean, options: RunOptions): void {
  for (const [option, value] of [
    ['--prompt', options.prompt],
    ['--model', options.model],
  ] as const)
    if (value?.trim() === '') throw new PaddockError('BAD_INPUT', `${option} is empty.`, { hint: 'Give a text, or leave it out' })
  if (!isCommand) return
  if (words[0] === '') throw new PaddockError('BAD_INPUT', 'The command behind -- is empty.', { hint: 'paddock run -- make test' })
  if (options.model !== undefined) refuse('--model', 'Leave it out')
  if (options.baseUrl !== undefined) refuse('--base-url', 'To let the command reach a host: --allow HOST[:PORT]')
  if (options.credentials !== undefined && options.credentials !== 'none')
    refuse('--credentials', 'To give the command a secret: --secret NAME=vault:NAME')
}

function refuse(option: string, hint: string): never {
  throw new PaddockError('BAD_INPUT', `${option} requires an agent; it has no effect with a bare command.`, { hint })
}
