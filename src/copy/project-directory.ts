import { lstatSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../base/errors.ts'
import { inDirectory } from '../files/in-directory.ts'

/**
 * Throws NOT_ALLOWED if a stored path of a project is now a symbolic link or is behind one, because a program that writes above the project
 * could redirect Paddock to another directory. A project that does not exist is accepted.
 */
export function refuseLinkedProject(project: string): void {
  if (lstatSync(project, { throwIfNoEntry: false }) === undefined) return
  try {
    return inDirectory(path.join(project, 'any'), () => undefined)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error
  }
  throw new PaddockError('NOT_ALLOWED', `${project} is now a symbolic link, is behind one, or is not a directory.`, {
    hint: 'Move the directory of the project back to this path',
  })
}

/** Returns the device and the inode of a directory as text, to recognize it later. */
export function directoryId(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true })
  return `${dev}:${ino}`
}
