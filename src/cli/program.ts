import { Command } from 'commander'
import { resolvePaths } from '../paths.ts'
import { addFleetHostCommand } from './fleet/fleet-host-command.ts'
import { refuseUnmakeable } from './own-directories.ts'
import { addRunCommand } from './run/run-command.ts'
import { version } from './version.ts'

/**
 * The command line, each command's work loaded only when it is asked for: all commands, or for `run` only that one, because describing
 * the others takes longer than it has.
 */
export async function buildProgram(first?: string): Promise<Command> {
  const program = new Command('paddock')
    .description('Runs coding agents in cells, lets others judge their sealed work blind, and says who won.')
    .version(version)
    .enablePositionalOptions()
    .showHelpAfterError('(paddock --help shows the commands)')
    .exitOverride()
    .hook('preAction', () => refuseUnmakeable(resolvePaths(process.env)))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'paddock: ')) })

  addRunCommand(program)
  if (first === 'run') return program
  addFleetHostCommand(program)
  if (first === 'fleet-host') return program

  const { addOtherCommands } = await import('./other-commands.ts')
  addOtherCommands(program)
  const { groupCommands, welcome } = await import('./help-groups.ts')
  groupCommands(program)
  if (first === undefined) program.action(() => void process.stdout.write(welcome))
  return program
}
