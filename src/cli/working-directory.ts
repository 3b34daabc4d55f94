import { existsSync, realpathSync } from 'node:fs'
import { PaddockError } from '../base/errors.ts'

/**
 * Returns the user's working directory with all links resolved.
 * @throws PaddockError BAD_INPUT if its path is not UTF-8: Node shows such a path with U+FFFD in it, and cannot use it
 */
export function workingDirectory(): string {
  const cwd = process.cwd()
  if (cwd.includes('\uFFFD') && !existsSync(cwd))
    throw new PaddockError('BAD_INPUT', `Paddock cannot work in ${cwd}: the name of a directory is not UTF-8.`, {
      hint: 'Rename it, or go to another directory',
    })
  return realpathSync(cwd)
}

/** Returns the working directory without links; null if it was removed. */
export function currentDirectory(): string | null {
  try {
    return process.cwd()
  } catch {
    return null
  }
}
