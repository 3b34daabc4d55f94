import path from 'node:path'
import { inDirectory } from '../../files/in-directory.ts'

/**
 * Calls `act` with a safe path for a file of a project (see `inDirectory`). Errors name the file instead of the descriptor of its
 * directory.
 */
export function atName<T>(project: string, file: string, act: (safe: string) => T): T {
  const absolute = path.join(project, file)
  try {
    return inDirectory(absolute, act)
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(/\/proc\/self\/fd\/\d+/g, () => path.dirname(absolute))
    throw error
  }
}
