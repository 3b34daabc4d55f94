import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { takeLock } from '../../../files/lock.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { homeStore } from './settle-home.ts'

const patienceMs = 5_000

/** Returns the private homes in a directory that has nothing else, sorted. */
export function homesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return []
  const entries = readdirSync(directory, { withFileTypes: true })
  const names = entries.filter((each) => each.isDirectory() && !each.name.startsWith('.')).map((each) => each.name)
  return names.sort().map((each) => path.join(directory, each))
}

/**
 * Deletes a private home, and the versions beside it that runs with other rights wrote. `isInUse`: returns true while a cell runs in it.
 * @throws PaddockError BUSY, and then nothing is deleted
 */
export async function resetHome(home: string, isInUse: (home: string) => boolean): Promise<void> {
  const store = homeStore(home)
  mkdirSync(store, { recursive: true, mode: 0o700 })
  using _lock = await takeLock({ file: path.join(store, 'lock'), what: `The private home ${home}`, command: 'paddock reset', patienceMs })
  if (isInUse(home))
    throw new PaddockError('BUSY', `A cell is running in the private home ${home}.`, {
      hint: 'Wait for its end, or end it: paddock ps, paddock stop ID',
    })
  await removeTree(home)
  await removeTree(store)
}
