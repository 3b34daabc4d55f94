import { readdirSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { loginFormats } from '../../adapters/agent-facts.ts'
import { PaddockError } from '../../base/errors.ts'
import { type Paths, resolvePaths } from '../../base/paths.ts'
import { formatSize } from '../../base/quantities.ts'
import { leftCopies } from '../../copy/all-copies.ts'
import { leftSnapshots } from '../../credentials/login-snapshot.ts'
import { leftHomes } from '../../credentials/volume/adopt.ts'
import { holdVolume, tryHold } from '../../credentials/volume/hold-volume.ts'
import { listVolumes, type Volume, volumeOf } from '../../credentials/volume/volume.ts'
import { defaultVolume } from '../../credentials/volume/volume-files.ts'
import { ownerState } from '../../files/directory-owner.ts'
import { tryLock } from '../../files/lock.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { treeSize } from '../../files/tree-size.ts'
import { openCells } from '../../host.ts'
import type { Result } from '../results.ts'
import { saySwept } from '../run/change-lines.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'

export interface CleanOptions {
  readonly cells?: boolean
  readonly keepCredentials?: boolean
  readonly volume: readonly string[]
  readonly dryRun?: boolean
}

type Removed = Result<'clean'>['removed'][number]

/** Age of the last write after which a directory without a named owner is removed. It may be from an older version of Paddock. */
const unownedMs = 24 * 3_600_000

/**
 * `paddock clean`: removes files that no process needs any more. Keeps everything of running processes, private homes, and volumes
 * that are not named.
 */
export async function cleanCommand(options: CleanOptions): Promise<Answer<Result<'clean'>>> {
  const paths = resolvePaths(process.env)
  const dry = options.dryRun === true
  const removed = options.volume.length > 0 ? await volumes(paths.state, options.volume, dry) : await leftovers(paths, options, dry)
  const bytes = removed.reduce((sum, each) => sum + each.bytes, 0)
  const verb = dry ? 'would remove' : 'removed'
  return {
    data: { schemaVersion: 1, dryRun: dry, removed, bytes },
    notes: [
      ...removed.map((each) => `${verb} ${each.what} ${each.path} (${formatSize(each.bytes)})`),
      removed.length === 0 ? 'there is nothing to remove' : `${verb} ${removed.length} in all, ${formatSize(bytes)}`,
    ],
  }
}

async function leftovers(paths: Paths, { cells: onlyCells, keepCredentials }: CleanOptions, dry: boolean): Promise<readonly Removed[]> {
  const { state } = paths
  const removed: Removed[] = []
  const remove = async (what: Removed['what'], directory: string): Promise<void> => {
    removed.push({ what, path: directory, bytes: await treeSize(directory) })
    if (!dry) await removeTree(directory)
  }
  // Cells come first, because their processes may still write.
  const directories = runDirectories(state)
  const cells = openCells(paths, process.env)
  for (const { id, runDirectory } of await cells.dead())
    removed.push({ what: 'traces of a cell', path: path.join(state, 'cells', id), bytes: await treeSize(runDirectory) })
  if (!dry) await cells.sweep({ onSwept: saySwept, notice: say })
  if (onlyCells === true) return removed
  const known = new Set(cells.registry.all().map((each) => each.runDirectory))
  for (const each of directories)
    if (!known.has(each) && (await lstat(each).catch(() => null)) !== null) await remove('run directory', each)
  if (keepCredentials !== true) {
    for (const each of await leftSnapshots(state)) await remove('login copy', each)
    for (const volume of await listVolumes(await loginFormats(), state)) removed.push(...(await brokenOff(volume, dry)))
  }
  for (const each of await leftCopies(path.join(state, 'copies'))) await remove('broken-off copy', each)
  for (const each of await leftScratch(state)) await remove('scratch directory', each)
  return removed
}

/** Lists run directories. Call before reading the registry: each is registered before it is made, so an unregistered one has no owner. */
function runDirectories(state: string): readonly string[] {
  const all = path.join(state, 'run')
  try {
    return readdirSync(all).map((each) => path.join(all, each))
  } catch {
    return []
  }
}

/** Returns what killed logins and cells left in a volume. Except in a dry run, it also recovers the volume, as every use of one does. */
async function brokenOff(volume: Volume, dry: boolean): Promise<readonly Removed[]> {
  const left = await Promise.all(
    (await leftHomes(volume)).map(async (each) => ({ what: 'broken-off login' as const, path: each, bytes: await treeSize(each) })),
  )
  if (left.length === 0) return []
  using held = dry ? await tryLock({ file: volume.lockFile, command: 'paddock clean' }) : await tryHold(volume, 'paddock clean', 0)
  return held === null ? [] : left
}

async function leftScratch(state: string): Promise<readonly string[]> {
  const all = path.join(state, 'scratch')
  const left: string[] = []
  for (const each of await readdir(all, { withFileTypes: true }).catch(() => [])) {
    if (!each.isDirectory()) continue
    const directory = path.join(all, each.name)
    const owner = await ownerState(directory)
    const facts = await lstat(directory).catch(() => null)
    const old = facts !== null && Date.now() - facts.mtimeMs > unownedMs
    if (owner === 'nobody' || (owner !== 'running' && old)) left.push(directory)
  }
  return left
}

/** Removes volumes that are given as `AGENT` or `AGENT/NAME`. */
async function volumes(state: string, named: readonly string[], dry: boolean): Promise<readonly Removed[]> {
  const formats = await loginFormats()
  const wanted = named.map((each) => {
    const [agent = '', name = defaultVolume, ...rest] = each.split('/')
    if (rest.length > 0)
      throw new PaddockError('BAD_INPUT', `--volume ${each}: this is not the name of a volume.`, {
        hint: 'For example: --volume claude/default',
      })
    return volumeOf(formats, state, agent, name)
  })
  const removed: Removed[] = []
  for (const volume of wanted) {
    const there = await listVolumes(formats, state, volume.agent)
    if (!there.some((each) => each.name === volume.name))
      throw new PaddockError('NOT_FOUND', `There is no volume "${volume.name}" of ${volume.agent}.`, {
        hint: there.length === 0 ? 'This agent has no volume' : `The volumes are ${there.map((each) => each.name).join(', ')}`,
      })
    using _held = await holdVolume(volume, 'paddock clean', 0)
    removed.push({ what: 'volume', path: volume.directory, bytes: await treeSize(volume.directory) })
    if (!dry) await removeTree(volume.directory)
  }
  return removed
}
