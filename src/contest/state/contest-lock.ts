import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Paths } from '../../base/paths.ts'
import type { Layout } from '../config/contest-layout.ts'

/**
 * Returns the lock file of a contest, named by the contest's path without links. It is in Paddock's state directory, because a cell or the
 * author of a cloned contest could create a file of that name in the contest directory.
 */
export async function contestLock(layout: Pick<Layout, 'root'>, paths: Pick<Paths, 'state'>): Promise<string> {
  return await lockFile(layout, paths, '')
}

/** Returns the lock file of your own judging of a contest, which can run at the same time as the contest. */
export async function yourLock(layout: Pick<Layout, 'root'>, paths: Pick<Paths, 'state'>): Promise<string> {
  return await lockFile(layout, paths, '-you')
}

async function lockFile({ root }: Pick<Layout, 'root'>, { state }: Pick<Paths, 'state'>, of: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(root))
    .digest('hex')
    .slice(0, 24)
  return path.join(state, 'contests', `${name}${of}.lock`)
}
