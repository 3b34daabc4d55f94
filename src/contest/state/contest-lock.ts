import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Paths } from '../../paths.ts'
import type { Layout } from './layout.ts'

/**
 * Returns the file of the lock on a contest, by the contest's path without links. It is among Paddock's own: a cell, or whoever made a contest
 * that was cloned, could put anything under its name in the contest directory.
 */
export async function contestLock({ root }: Pick<Layout, 'root'>, { state }: Pick<Paths, 'state'>): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(root))
    .digest('hex')
    .slice(0, 24)
  return path.join(state, 'contests', `${name}.lock`)
}
