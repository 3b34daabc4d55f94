import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { chmod, chown, link, mkdir, mkdtemp, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { printableName } from '../../base/text.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { openSqlite } from '../../files/sqlite.ts'
import { type FleetData, fleetData } from '../data-directory.ts'
import { openDatabase } from '../store/database.ts'
import { eventLog } from '../store/event-log.ts'
import { type Pause, pauseStore } from '../store/pause-store.ts'
import { databaseProblem } from './check-database.ts'
import { closeAgain } from './closed-entries.ts'
import { countsOf, type FleetCounts } from './counts.ts'
import { deleteInert } from './quiet-backup.ts'
import { listArchive, tar } from './run-tar.ts'
import { asText, isUnchanged, listTree, type TreeList } from './tree-list.ts'

/** The member of an archive with the modes of entries that were made readable for it, as JSON. */
const modesFile = 'modes.json'
/** The member of an archive with the path of the data directory, as JSON. */
const originFile = 'origin.json'
const originSchema = z.object({ root: z.string() })
const modesSchema = z.array(z.tuple([z.string(), z.int()]))

export interface BackedUp extends FleetCounts {
  readonly bytes: number
  /** Entries that existed before and after the backup without a change, and are not in the archive. Each needs a look. */
  readonly missing: readonly string[]
}

/**
 * Writes a whole fleet into a tar archive (0600): first a snapshot of its state, then homes, workspaces, transcripts and results, so that
 * every job that has ended in the snapshot has its files. Only sockets and the directories of host processes are left out. Files that
 * agents made unreadable are readable to the owner meanwhile, and have their modes again in the restored fleet. A server may run
 * meanwhile; entries that agents change in that time may be missing, and all others are compared with the archive.
 * @throws PaddockError NOT_FOUND without a fleet; CONFLICT if the file exists; FILES_FAILED
 */
export async function backup(data: FleetData, file: string): Promise<BackedUp> {
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
    const missing = await pack(data.root, scratch)
    // Unlike rename, link does not replace an existing file.
    await link(path.join(scratch, archiveFile), file)
    return { ...counts, bytes: (await stat(file)).size, missing }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const archiveFile = 'archive.tar'

/** Writes the archive in `scratch`, which has the snapshot, and compares it with the tree. Returns the names of what is missing in it. */
async function pack(root: string, scratch: string): Promise<readonly string[]> {
  const hasAgents = existsSync(path.join(root, agentsName))
  const tree: TreeList = hasAgents ? await listTree(root, agentsName, isHost) : { entries: new Map(), closed: [], unlisted: [] }
  try {
    await writeFile(path.join(scratch, modesFile), JSON.stringify(tree.closed), { mode: 0o600 })
    await writeFile(path.join(scratch, originFile), JSON.stringify({ root: realpathSync(root) }), { mode: 0o600 })
    const archive = path.join(scratch, archiveFile)
    const handle = await open(archive, 'wx', 0o600)
    try {
      const leftOut = hasAgents ? readdirSync(path.join(root, agentsName)).map((each) => `--exclude=${hostOf(each)}`) : []
      await tar(
        [
          // Other formats cut times to seconds, and that would give entries the mark of inert ones.
          ...['--create', '--format=posix', '--pax-option=delete=atime,delete=ctime', '--sparse', '--ignore-failed-read'],
          ...['--warning=no-file-ignored', '--warning=no-file-changed', '--warning=no-file-removed', '--warning=no-failed-read'],
          ...['-C', scratch, 'fleet.db', modesFile, originFile],
          ...(hasAgents ? ['-C', root, '--anchored', '--no-wildcards', ...leftOut, agentsName] : []),
        ],
        { cwd: '/', stdout: handle.fd },
      )
      await handle.sync()
    } finally {
      await handle.close()
    }
    const left = new Map(tree.entries)
    await listArchive(archive, (name, kind) => {
      const found = left.get(name)?.kind
      if (found === kind || (kind === 'h' && found !== 'd')) left.delete(name)
    })
    return [...[...left].filter(([name, before]) => isUnchanged(root, name, before)).map(([name]) => asText(name)), ...tree.unlisted]
  } finally {
    closeAgain(root, tree.closed)
  }
}

/** The directory of all agents in a data directory. */
const agentsName = path.relative('/', path.dirname(fleetData('/').agent('any').root))
/** Returns the path of the directory with an agent's socket, lock and log, of which a restored fleet has no use. */
const hostOf = (agent: string): string => path.relative('/', path.dirname(fleetData('/').agent(agent).socket))
const isHost = (names: readonly string[]): boolean => names.join('/') === hostOf(names[1] ?? '')

export interface Restored extends FleetCounts {
  /** The path of the data directory that was backed up, if it differs; null also for archives of earlier versions. */
  readonly movedFrom: string | null
}

/**
 * Restores an archive of `backup` into a directory that is empty or does not exist. Jobs that were running at the time of the backup are
 * marked as interrupted when a server starts, and then follow their manifests. The fleet is paused until its owner resumes it, because the
 * original may still run. `jobs`: whether queued jobs do not start either.
 * @throws PaddockError CONFLICT if the directory is not empty or a newer Paddock wrote the archive; BAD_INPUT if `file` is not a backup
 */
export async function restore(file: string, data: FleetData, { jobs }: Pick<Pause, 'jobs'> = { jobs: false }): Promise<Restored> {
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
      // An archive may set the owner and the mode of the directory that it is extracted to.
      const tree = path.join(scratch, 'fleet')
      await mkdir(tree)
      const no = (why: string): PaddockError =>
        new PaddockError('BAD_INPUT', `${file} is not a backup of a fleet${why}`, { hint: 'Name a file that paddock fleet backup wrote' })
      await tar(['--extract', '--numeric-owner', '--preserve-permissions'], { cwd: tree, stdin: archive.fd }).catch(
        (error: PaddockError) => {
          throw no(`: ${error.message}`)
        },
      )
      const odd = oddPart(tree)
      if (odd !== null) throw no(`: ${odd}.`)
      const database = path.join(tree, 'fleet.db')
      if (!existsSync(database)) throw no('.')
      await chown(tree, process.getuid?.() ?? 0, process.getgid?.() ?? 0)
      await chmod(tree, 0o700)
      const wrong = pauseRestored(database, tree, { jobs })
      if (wrong !== null) throw no(`: ${wrong}.`)
      const counts = countsOf(database)
      if (existsSync(path.join(tree, agentsName))) await deleteInert(path.join(tree, agentsName))
      await restoreModes(tree)
      const origin = await takeOrigin(tree)
      await rename(tree, data.root)
      return { ...counts, movedFrom: origin === realpathSync(data.root) ? null : origin }
    } finally {
      await removeTree(scratch)
    }
  } finally {
    await archive.close()
  }
}

/** Returns what is wrong with the parts of an extracted archive; null if nothing is. Links could lead to another fleet, or to any file. */
function oddPart(tree: string): string | null {
  for (const part of readdirSync(tree, { withFileTypes: true })) {
    const isFile = ['fleet.db', modesFile, originFile].includes(part.name)
    if (!isFile && part.name !== agentsName) return `it has ${printableName(Buffer.from(part.name))}`
    if (isFile && !part.isFile()) return `${part.name} in it is not a regular file`
    if (!isFile && !part.isDirectory()) return `${part.name} in it is not a directory`
  }
  return null
}

/** Records in a restored database that the fleet is paused. Returns what is wrong with the database; null if nothing is. */
function pauseRestored(file: string, directory: string, options: Pick<Pause, 'jobs'>): string | null {
  try {
    using database = openDatabase(file, directory)
    const wrong = databaseProblem(database)
    if (wrong === null) pauseStore(database, eventLog(database)).begin(options)
    return wrong
  } catch (error) {
    if (error instanceof PaddockError) throw error
    return `its database cannot be read (${messageOf(error)})`
  }
}

/** Returns the path of the data directory that was backed up; null for archives of earlier versions. Deletes the file that names it. */
async function takeOrigin(root: string): Promise<string | null> {
  const file = path.join(root, originFile)
  if (!existsSync(file)) return null
  const origin = originSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  await rm(file)
  return origin.root
}

/** Makes the entries unreadable again that were unreadable before the backup. Archives of earlier versions have no list of them. */
async function restoreModes(root: string): Promise<void> {
  const file = path.join(root, modesFile)
  if (!existsSync(file)) return
  closeAgain(root, modesSchema.parse(JSON.parse(await readFile(file, 'utf8'))))
  await rm(file)
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
