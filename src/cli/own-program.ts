import { PaddockError } from '../base/errors.ts'

/** Returns the command that starts this Paddock again: Node with its current options, then the launcher. */
export function ownProgram(): readonly string[] {
  const launcher = process.argv[1]
  if (launcher === undefined) throw new PaddockError('CELL_FAILED', 'The program of this process is not known, so no other can be started.')
  return [process.execPath, ...process.execArgv, launcher]
}
