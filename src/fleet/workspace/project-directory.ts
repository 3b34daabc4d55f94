import { realpathSync, statSync } from 'node:fs'
import { PaddockError } from '../../errors.ts'

/**
 * Returns the absolute path, without links, of a project in a manifest. `~/` is the user's home. `place`: the key of the project.
 * @throws PaddockError NOT_FOUND if the project does not exist; BAD_INPUT if it is not a directory
 */
export function projectDirectory(named: string, place: string, userHome: string): string {
  let real: string
  try {
    real = realpathSync(named.replace(/^~(?=\/)/, userHome))
  } catch (error) {
    throw new PaddockError('NOT_FOUND', `${place}: ${named} does not exist on this machine.`, {
      hint: 'Name the directory of a project',
      cause: error,
    })
  }
  if (!statSync(real).isDirectory())
    throw new PaddockError('BAD_INPUT', `${place}: ${named} is not a directory.`, { hint: 'Name the directory of a project' })
  return real
}
