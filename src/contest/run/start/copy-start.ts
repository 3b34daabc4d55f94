import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'

/** Copies what a contest begins with. A link keeps its target: it is dropped when the work is sealed, as any other. */
export async function copyStart(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
}
