import { statfsSync } from 'node:fs'
import { codeOf, PaddockError } from '../../base/errors.ts'

/** Returns an error that names the directory on a full or a read-only disk. Null if the failure has another cause. */
export function noRoom(error: unknown, directories: readonly string[]): PaddockError | null {
  const code = codeOf(error)
  if (code === 'EROFS') {
    const file = (error as NodeJS.ErrnoException).path ?? directories[0] ?? ''
    return new PaddockError('CELL_FAILED', `The cell could not be started: the file system of ${file} is read-only.`, {
      hint: "Choose another directory for Paddock's files: export PADDOCK_HOME=DIRECTORY",
      cause: error,
    })
  }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null
  const full = directories.filter((each) => isFull(each))
  const places = (full.length > 0 ? full : directories).join(' or ')
  return new PaddockError('CELL_FAILED', `The cell could not be started: no space left on the disk of ${places}.`, {
    hint: 'Make room on that disk: paddock clean removes what killed processes left, and paddock discard removes a copy',
    cause: error,
  })
}

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(directory)
    return bavail * bsize < 64 * 1024 || (files > 0 && ffree === 0)
  } catch {
    return false
  }
}
