import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../base/errors.ts'
import { aloneIfPossible, openKernelLock } from '../files/kernel-lock.ts'
import type { ChainTip } from './line.ts'
import { currentName, readHead, rotatedNames } from './log-place.ts'

/** The log at one moment, even while other processes write to it and rotate it. */
export interface Snapshot extends Disposable {
  /** The files, oldest first, with their sizes at that moment. */
  readonly files: readonly { readonly name: string; readonly fd: number; readonly size: number }[]
  readonly head: ChainTip | null
}

/** Opens all files of the log in a directory. Empty if there is no log. Throws FILES_FAILED for a file that cannot be read. */
export function snapshotOf(directory: string): Snapshot {
  const files: { name: string; fd: number; size: number }[] = []
  const close = (): void => {
    for (const { fd } of files.splice(0)) closeSync(fd)
  }
  if (statSync(directory, { throwIfNoEntry: false }) === undefined) return { files, head: null, [Symbol.dispose]: close }
  const take = (): ChainTip | null => {
    for (const name of [...rotatedNames(directory).map((each) => each.name), currentName]) {
      try {
        const fd = openSync(path.join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW)
        files.push({ name, fd, size: fstatSync(fd).size })
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
      }
    }
    return readHead(directory)
  }
  try {
    return { files, head: alone(directory, take), [Symbol.dispose]: close }
  } catch (error) {
    close()
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new PaddockError('FILES_FAILED', `The audit log in ${directory} cannot be read: ${message}.`, {
      hint: 'Check its owner and mode: only the user who runs Paddock may write there',
      cause: error,
    })
  }
}

/** Runs `take` between two writes if the lock is available. If the log is read-only or its writer is stopped, runs it without the lock. */
function alone<T>(directory: string, take: () => T): T {
  using opened = new DisposableStack()
  return aloneIfPossible(() => opened.adopt(openKernelLock(path.join(directory, 'lock.db')), (lock) => lock.close()), 2_000, take)
}
