import { lstat } from 'node:fs/promises'
import { PaddockError } from '../../base/errors.ts'
import { Layout } from '../config/contest-layout.ts'

/** Returns the layout of a contest without reading its contest.yaml, which may be invalid. Throws NOT_FOUND if there is none. */
export async function contestAt(directory: string): Promise<Layout> {
  const layout = new Layout(directory)
  if ((await lstat(layout.config).catch(() => null)) !== null) return layout
  throw new PaddockError('NOT_FOUND', `There is no contest in ${layout.root}: contest.yaml is missing.`, { hint: 'Name its directory' })
}
