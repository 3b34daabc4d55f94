import { Command, type Option } from 'commander'
import { resolvePaths } from '../base/paths.ts'
import { applyMachineSettings } from '../config/machine-settings.ts'
import { addValuesCommand } from './completion/values-command.ts'
import { addFleetHostCommand } from './fleet/server/fleet-host-command.ts'
import { refuseUnmakeable } from './own-directories.ts'
import { addCellServerCommand } from './remote/cell-server-command.ts'
import { addRunCommand } from './run/run-command.ts'
import { printErrorsAsJson } from './terminal/terminal-output.ts'
import { version } from './version.ts'
import { currentDirectory } from './working-directory.ts'

/** Returns true if the arguments of this process ask for JSON, even if they are not valid. Arguments after `--` belong to another program. */
export function asksForJson(words: readonly string[] = process.argv): boolean {
  const end = words.indexOf('--')
  return words.slice(0, end === -1 ? undefined : end).includes('--json')
}

/**
 * Returns the command line. The code of a command is loaded only when it is used. For `run` only that command is defined, because defining
 * the others takes too long for the start of a run.
 */
export async function buildProgram(first?: string): Promise<Command> {
  const program = new Command('paddock')
    .description('Runs coding agents in cells, lets others judge their sealed work blind, and says who won.')
    .version(version)
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureHelp({ optionDescription: aboutOption })
    .hook('preAction', async (_, command) => {
      if (command.opts()['json'] === true) printErrorsAsJson()
      const paths = resolvePaths(process.env)
      refuseUnmakeable(paths)
      await applyMachineSettings(paths, process.env, currentDirectory())
    })
    // main.ts prints the error, with a hint.
    .configureOutput({ outputError: () => undefined })

  addRunCommand(program)
  if (first === 'run') return program
  addFleetHostCommand(program)
  if (first === 'fleet-host') return program
  addCellServerCommand(program)
  if (first === 'cell-server') return program
  addValuesCommand(program)
  if (first === 'completion-values') return program

  const { addOtherCommands } = await import('./other-commands.ts')
  addOtherCommands(program)
  const { groupCommands, welcome } = await import('./help-groups.ts')
  groupCommands(program)
  if (first === undefined) program.action(() => void process.stdout.write(welcome))
  return program
}

/** Returns the help text of an option, with the values that its description does not name, and with its default if that is a single value. */
function aboutOption({ description, argChoices = [], defaultValue, negate }: Option): string {
  const about = argChoices.every((each) => description.includes(each)) ? description : `${description}: ${argChoices.join(', ')}`
  const hasDefault = !negate && (typeof defaultValue === 'string' || typeof defaultValue === 'number')
  return hasDefault ? `${about} (default: ${defaultValue})` : about
}
