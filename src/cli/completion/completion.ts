import type { Command } from 'commander'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { completionScript, type Shell } from './scripts.ts'
import { commandTree } from './tree.ts'

const shells: readonly string[] = ['bash', 'zsh', 'fish'] satisfies Shell[]

/** `paddock completion SHELL`: prints the script. */
export function completionCommand(shell: string, program: Command): number {
  if (!isShell(shell))
    throw new PaddockError('BAD_INPUT', `There is no completion for ${shell}.`, { hint: `Name one of: ${shells.join(', ')}` })
  process.stdout.write(completionScript(shell, commandTree(program)))
  return exitCodes.done
}

function isShell(value: string): value is Shell {
  return shells.includes(value)
}
