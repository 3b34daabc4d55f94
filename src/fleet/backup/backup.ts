import { existsSync } from 'node:fs'
import { link, mkdir, mkdtemp, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { openSqlite } from '../../files/sqlite.ts'
import type { FleetData } from '../data-directory.ts'
import { openDatabase } from '../store/database.ts'
import { countsOf, type FleetCounts } from './counts.ts'
import { tar } from './tar.ts'

/**
 * Writes a whole fleet into a tar archive (0600): first a snapshot of its state, then homes, workspaces, transcripts and results, so that
 * every job that has ended in the snapshot has its files. A server may run meanwhile; files that agents write in that time may be missing.
 * @throws PaddockError NOT_FOUND without a fleet; CONFLICT if the file exists; FILES_FAILED
 */
export async function backup(data: FleetData, file: string): Promise<FleetCounts & { readonly bytes: number }> {
  if (!existsSync(data.database))
    throw new PaddockError('NOT_FOUND', `There is no fleet in ${data.root}.`, { hint: 'Name it with --data DIRECTORY' })
  if (existsSync(file)) throw new PaddockError('CONFLICT', `${file} already exists.`, { hint: 'Name a new file' })
  const scratch = await mkdtemp(path.join(path.dirname(path.resolve(file)), '.paddock-backup-'))
  try {
    const snapshot = path.join(scratch, 'fleet.db')
    const source = openSqlite(data.database)
    try {
      source.exec('PRAGMA busy_timeout=5000')
      source.prepare('VACUUM INTO ?').run(snapshot)
    } finally {
      source.close()
    }
    const counts = countsOf(snapshot)
    const archive = path.join(scratch, 'archive.tar')
    const handle = await open(archive, 'wx', 0o600)
    try {
      const agents = existsSync(path.join(data.root, 'agents')) ? ['-C', data.root, '--exclude=agents/*/host', 'agents'] : []
      await tar(
        [
          '--create',
          '--sparse',
          '--warning=no-file-ignored',
          '--warning=no-file-changed',
          '--warning=no-file-removed',
          '-C',
          scratch,
          'fleet.db',
          ...agents,
        ],
        {
          cwd: '/',
          stdout: handle.fd,
        },
      )
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Unlike rename, link does not replace an existing file.
    await link(archive, file)
    return { ...counts, bytes: (await stat(file)).size }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Restores an archive of `backup` into a directory that is empty or does not exist. Jobs that were running at the time of the backup are
 * marked as interrupted when a server starts, and then follow their manifests.
 * @throws PaddockError CONFLICT if the directory is not empty or a newer Paddock wrote the archive; BAD_INPUT if `file` is not a backup
 */
export async function restore(file: string, data: FleetData): Promise<FleetCounts> {
  const archive = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new PaddockError(
      error.code === 'ENOENT' ? 'NOT_FOUND' : 'FILES_FAILED',
      `${file} cannot be read (${error.code ?? error.message}).`,
    )
  })
  try {
    await refuseUsed(data.root)
    const parent = path.dirname(data.root)
    const scratch = await mkdtemp(path.join(parent, '.paddock-restore-'))
    try {
      await tar(['--extract', '--numeric-owner', '--preserve-permissions'], { cwd: scratch, stdin: archive.fd }).catch(
        (error: PaddockError) => {
          throw new PaddockError('BAD_INPUT', `${file} is not a backup of a fleet: ${error.message}`, {
            hint: 'Name a file that paddock fleet backup wrote',
          })
        },
      )
      const database = path.join(scratch, 'fleet.db')
      if (!existsSync(database))
        throw new PaddockError('BAD_INPUT', `${file} is not a backup of a fleet.`, { hint: 'Name a file that paddock fleet backup wrote' })
      openDatabase(database, scratch)[Symbol.dispose]()
      const counts = countsOf(database)
      await rename(scratch, data.root)
      return counts
    } catch (error) {
      await rm(scratch, { recursive: true, force: true })
      throw error
    }
  } finally {
    await archive.close()
  }
}

/** Removes a directory if it is empty, so that the restored one can take its place. Throws if it is not empty. */
async function refuseUsed(directory: string): Promise<void> {
  await mkdir(path.dirname(directory), { recursive: true, mode: 0o700 })
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (names === null) return
  if (names.length > 0)
    throw new PaddockError('CONFLICT', `${directory} is not empty, and was not changed.`, {
      hint: 'Move it away, or name another place with --data',
    })
  await rmdir(directory)
}
