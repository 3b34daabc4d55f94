import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { privateDirectory } from '../credentials/vault/private-place.ts'
import { openSqlite } from '../files/sqlite.ts'
import type { FleetData } from './data-directory.ts'

/**
 * Makes the data directory of a new fleet, or checks that an existing one belongs to this user, is closed to others, and contains a fleet
 * or nothing. Its database shows that a directory is a fleet's: without one, nothing else in the directory was made by Paddock.
 * @throws PaddockError NOT_ALLOWED if others own or may enter the directory; CONFLICT if it contains something else than a fleet
 */
export async function useFleetDirectory(data: FleetData): Promise<void> {
  await privateDirectory(data.root)
  const other = readdirSync(data.root).filter((name) => !belongsToNew(name, data))
  if (other.length === 0 || hasFleet(data.database)) return
  const agents = path.basename(path.dirname(data.agent('any').root))
  if (other.includes(agents) && readdirSync(path.join(data.root, agents)).length > 0)
    throw new PaddockError(
      'CONFLICT',
      `${data.root} has a directory ${agents} with content, but ${data.database} is missing or empty, so nothing was changed.`,
      {
        hint: `Put the ${path.basename(data.database)} of this fleet back, restore a backup to another directory, or name a new one with --data`,
      },
    )
  throw new PaddockError('CONFLICT', `${data.root} is not empty and is not a fleet (it has ${other[0]}), so nothing was changed.`, {
    hint: 'Name an empty or a new directory with --data',
  })
}

/** Returns whether a directory may have this entry before its fleet's first start is complete. */
function belongsToNew(name: string, { database, lock, socket, serverFile }: FleetData): boolean {
  // The root of a file system may have lost+found (mke2fs(8)).
  if (name === 'lost+found' || name === path.basename(socket) || name === path.basename(serverFile)) return true
  return [database, lock].some((file) => name.startsWith(path.basename(file)))
}

/** Returns whether a file is the database of a fleet, and not missing, empty or another program's. */
function hasFleet(file: string): boolean {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return false
  try {
    const db = openSqlite(file)
    try {
      db.exec('PRAGMA busy_timeout=5000')
      const found = db
        .prepare("SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name IN ('agents', 'jobs', 'events')")
        .get()
      return found?.['count'] === 3
    } finally {
      db.close()
    }
  } catch (error) {
    throw new PaddockError('CONFLICT', `${file} cannot be read as the database of a fleet: ${(error as Error).message}.`, {
      hint: 'Restore a backup to another directory: paddock fleet restore FILE --data DIRECTORY',
      cause: error,
    })
  }
}
