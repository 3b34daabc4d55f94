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
  if (options.asIs === true) refuseBesideAsIs(isCommand, options)
  if (!isCommand) return
  if (words[0] === '') throw new PaddockError('BAD_INPUT', 'The command behind -- is empty.', { hint: 'paddock run -- make test' })
  if (options.model !== undefined) refuse('--model', 'Leave it out')
  if (!options.webTools) refuse('--no-web-tools', 'Leave it out')
  if (options.baseUrl !== undefined) refuse('--base-url', 'To let the command reach a host: --allow HOST[:PORT]')
  if (options.credentials !== undefined && options.credentials !== 'none')
    refuse('--credentials', 'To give the command a secret: --secret NAME=vault:NAME')
}

/** Throws for options that would add to the command line of the agent, or read its output. */
function refuseBesideAsIs(isCommand: boolean, options: RunOptions): void {
  if (isCommand) throw new PaddockError('BAD_INPUT', '--as-is requires an agent.', { hint: 'Leave it out; a command always runs as it is' })
  for (const [option, value] of [
    ['--prompt', options.prompt],
    ['--prompt-file', options.promptFile],
    ['--continue', options.continue],
    ['--raw', options.raw],
    ['--model', options.model],
    ['--trajectory', options.trajectory],
  ] as const)
    if (value !== undefined)
      throw new PaddockError('BAD_INPUT', `${option} and --as-is cannot be combined.`, {
        hint: "Give the agent its own option after the agent's name",
      })
}

function refuse(option: string, hint: string): never {
  throw new PaddockError('BAD_INPUT', `${option} requires an agent; it has no effect with a bare command.`, { hint })
}
