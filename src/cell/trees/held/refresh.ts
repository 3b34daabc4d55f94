import { lstatSync } from 'node:fs'
import path from 'node:path'
import { type IndexEntry, withStats } from '../../../git/index-file.ts'
import { type HeldRepository, isHeld, isUnmodified } from '../../plan/held/held-repository.ts'
import { rewriteIndex } from './rewrite-index.ts'

/**
 * Notes the present state of unmodified held files in the index, like git-update-index(1), `--refresh`. After a copy of the project, git does
 * not know that they are unmodified: `git checkout -- .` would write them again, which fails in a cell. If another git holds the lock of the
 * index, nothing is done.
 */
export async function refreshHeld(repositories: readonly HeldRepository[]): Promise<void> {
  for (const each of repositories) {
    if (each.stale.length === 0) continue
    const stale = new Set(each.stale)
    const statOf = (entry: IndexEntry) => {
      if (!stale.has(entry.path) || entry.stage !== 0 || entry.skipsWorkTree || !isHeld(each, entry.path)) return undefined
      const stat = lstatSync(path.join(each.workTree, entry.path), { bigint: true, throwIfNoEntry: false })
      return stat !== undefined && isUnmodified(each.workTree, entry) ? stat : undefined
    }
    await rewriteIndex(each.git, 0, (bytes) => withStats(bytes, each.idBytes, statOf))
  }
}
