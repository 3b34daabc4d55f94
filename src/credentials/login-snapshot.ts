import { randomBytes } from 'node:crypto'
import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { own, ownerState } from '../files/directory-owner.ts'
import { readRegular } from '../files/read-regular.ts'
import { removeTree } from '../files/remove-tree.ts'

const maxBytes = 1024 * 1024

/** A copy of a stored login for one cell. */
export interface Snapshot {
  /** The path of the copy, which is 0600 in a separate directory with 0700. */
  readonly path: string
  remove(): Promise<void>
}

export function snapshotsDirectory(state: string): string {
  return path.join(state, 'snapshots')
}

/**
 * Copies a stored login so that one cell may see it. The caller must remove it with the cell. A copy left by a killed Paddock is removed
 * by the next process that makes one, and by `paddock clean`.
 * @throws PaddockError FILES_FAILED if there is no file to copy.
 */
export async function takeSnapshot(hostPath: string, state: string): Promise<Snapshot> {
  const all = snapshotsDirectory(state)
  await mkdir(all, { recursive: true, mode: 0o700 })
  // Paddock's state may be inside a project.
  await writeFile(path.join(all, '.gitignore'), '*\n', { mode: 0o600 })
  await sweepSnapshots(state)
  const read = await readRegular(await realpath(hostPath).catch(() => hostPath), maxBytes)
  if (!read.ok) throw new PaddockError('FILES_FAILED', `The login at ${hostPath} cannot be copied (${read.why}).`)
  const directory = path.join(all, randomBytes(12).toString('hex'))
  try {
    await mkdir(directory, { mode: 0o700 })
    await own(directory)
    await mkdir(path.join(directory, 'login'), { mode: 0o700 })
    const file = path.join(directory, 'login', path.basename(hostPath))
    await writeFile(file, read.bytes, { mode: 0o600, flag: 'wx' })
    return { path: file, remove: () => removeTree(directory) }
  } finally {
    read.bytes.fill(0)
  }
}

/** Removes copies whose process is gone. Returns the number of removed copies. */
export async function sweepSnapshots(state: string): Promise<number> {
  const left = await leftSnapshots(state)
  for (const each of left) await removeTree(each)
  return left.length
}

/** Returns directories of copies whose process is gone. A copy that is being made has no owner yet. */
export async function leftSnapshots(state: string): Promise<readonly string[]> {
  const all = snapshotsDirectory(state)
  const left: string[] = []
  for (const each of await readdir(all, { withFileTypes: true }).catch(() => [])) {
    if (!each.isDirectory()) continue
    const directory = path.join(all, each.name)
    const owner = await ownerState(directory)
    if (owner === 'nobody' || owner === 'unknown') left.push(directory)
  }
  return left
}
