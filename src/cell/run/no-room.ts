import { accessSync, constants, statfsSync } from 'node:fs'
import { codeOf, PaddockError } from '../../base/errors.ts'

/**
 * Returns an error that names the directory on a full or a read-only disk. Null if the failure has another cause. `state`: the directory of
 * Paddock's own files. `trees`: those that the cell can write.
 */
export function noRoom(error: unknown, state: string, trees: readonly string[]): PaddockError | null {
  const code = codeOf(error)
  if (code === 'EROFS') {
    // The path of the error may be one that only this process can follow.
    const tree = isReadOnly(state) ? undefined : trees.find(isReadOnly)
    const file = tree ?? (error as NodeJS.ErrnoException).path ?? state
    return new PaddockError('CELL_FAILED', `The cell could not be started: the file system of ${file} is read-only.`, {
      hint:
        tree === undefined
          ? "Choose another directory for Paddock's files: export PADDOCK_HOME=DIRECTORY"
          : 'Work on a copy of it with --copy',
      cause: error,
    })
  }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null
  const directories = [state, ...trees]
  const full = directories.filter((each) => isFull(each))
  const places = (full.length > 0 ? full : directories).join(' or ')
  return new PaddockError('CELL_FAILED', `The cell could not be started: no space left on the disk of ${places}.`, {
    hint: 'Make room on that disk: paddock clean removes what killed processes left, and paddock discard removes a copy',
    cause: error,
  })
}

function isReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(directory)
    return bavail * bsize < 64 * 1024 || (files > 0 && ffree === 0)
  } catch {
    return false
  }
}
