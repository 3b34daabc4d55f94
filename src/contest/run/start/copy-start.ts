import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { PaddockError } from '../../../base/errors.ts'

/**
 * Copies a directory of a contest. Links keep their targets, and are dropped like any other link when the work is sealed.
 * @throws PaddockError BAD_INPUT for anything but a file, directory or link.
 */
export async function copyStart(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  } catch (error) {
    const { code, path: at } = error as NodeJS.ErrnoException & { readonly path?: string }
    if (code?.startsWith('ERR_FS_CP_') !== true) throw error
    throw new PaddockError('BAD_INPUT', `${at ?? from} cannot be copied.`, { hint: 'Remove it', cause: error })
  }
}
