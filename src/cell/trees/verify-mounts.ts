import { realpathSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import { type Mount, mountAt, mountsOf } from '../../system/mounts.ts'
import { contains, type FsEntry, inertSource } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'

/**
 * Checks, before the agent starts, that each directory in the cell is the planned one, at the planned path.
 * bwrap resolves links in sources and targets, so a link from an earlier cell, or one that another cell creates now, could redirect a
 * mount.
 * @throws PaddockError `CELL_FAILED` that names the mount
 */
export function verifyMounts(plan: CellPlan, init: number): void {
  const host = mountsOf('self')
  // One mount may cover another one at the same path.
  const cell = Map.groupBy(mountsOf(init), (each) => each.at)
  for (const entry of plan.filesystem) {
    if (entry.kind === 'mask' && !cell.has(entry.target)) throw strayed(entry.target, 'it cannot be masked')
    if (entry.kind === 'copy' && !cell.has(entry.target)) throw strayed(entry.target, `a copy of ${entry.source} cannot be mounted there`)
    if (entry.kind !== 'bind' && entry.kind !== 'inert' && entry.kind !== 'link') continue
    const found = cell.get(entry.target) ?? []
    const source = sourceOf(entry)
    const within = entry.kind === 'bind' ? entry.within : undefined
    if (within !== undefined && !contains(within, source)) throw strayed(entry.target, `${source} is mounted there instead`)
    const expected = locate(host, source)
    if (found.some((each) => each.device === expected?.device && each.root === expected.root)) continue
    throw strayed(entry.target, `${source} cannot be mounted there`)
  }
}

function strayed(target: string, effect: string): PaddockError {
  return new PaddockError('CELL_FAILED', `${target} is behind a symbolic link, so ${effect}.`, {
    hint: 'Look for symbolic links that an earlier cell may have left in the project or in its private home, and remove them',
  })
}

/**
 * Returns the source. Paths that a cell may have written to are used unchanged; links are resolved only in the user's own paths.
 */
function sourceOf(entry: Extract<FsEntry, { kind: 'bind' | 'inert' | 'link' }>): string {
  if (entry.kind === 'inert') return inertSource(entry)
  if (entry.kind === 'link') return entry.source ?? entry.target
  return ['project', 'guard', 'run-later', 'home'].includes(entry.reason) ? entry.source : realpathSync(entry.source)
}

/** Returns the location of a path: the last mount at its longest prefix, and its path in that file system. */
function locate(mounts: readonly Mount[], file: string): { readonly device: string; readonly root: string } | null {
  const best = mountAt(mounts, file)
  if (best === null) return null
  const rest = best.at === '/' ? file : file.slice(best.at.length)
  return { device: best.device, root: (best.root === '/' ? '' : best.root) + rest || '/' }
}
