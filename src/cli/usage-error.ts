import type { Command, CommanderError } from 'commander'
import { messageOf, PaddockError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'

/**
 * Returns the error of a command line that is not valid, with the nearest name and the help of the command that it is about. `words`: the
 * arguments of `paddock`.
 */
export function usageError(program: Command, words: readonly string[], error: CommanderError): PaddockError {
  const { path, command } = commandOf(program, words)
  const message = messageOf(error).replace(/^error: /, '')
  const [, flag, wrong, values] =
    /^option '(?:-\w, )?(--\S+) .*?' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(message) ?? []
  if (flag !== undefined)
    return new PaddockError('BAD_INPUT', `${flag} ${wrong}: there is no such value.`, { hint: `Use one of: ${values}` })
  const [, kind, name] = /^unknown (option|command) '([^'=]+)/.exec(message) ?? []
  const near = kind === undefined || name === undefined ? null : nearestOf(command, kind, name)
  const shows = command.commands.length > 0 ? 'the commands' : 'the arguments and options'
  return new PaddockError('BAD_INPUT', message, {
    hint: `${near === null ? '' : `Did you mean ${near}? `}${path} --help shows ${shows}`,
  })
}

/** Returns the command that the arguments lead to, and its name as it is typed. */
function commandOf(program: Command, words: readonly string[]): { readonly path: string; readonly command: Command } {
  let [command, path] = [program, program.name()]
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next === undefined) break
    command = next
    path = `${path} ${next.name()}`
  }
  return { path, command }
}

function nearestOf(command: Command, kind: string, name: string): string | null {
  const help = command.createHelp()
  if (kind === 'command')
    return nearest(
      name,
      help.visibleCommands(command).map((each) => each.name()),
    )
  // Without the dashes, which all options share.
  const options = help.visibleOptions(command).flatMap((each) => each.long?.slice(2) ?? [])
  const near = nearest(name.replace(/^-+/, ''), options)
  return near === null ? null : `--${near}`
}
