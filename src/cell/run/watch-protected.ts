import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { KeptMount } from '../backend.ts'
import type { CellPlan } from '../plan/plan.ts'
import { isSameEntry, type KnownEntry } from '../trees/known-entries.ts'

const everyMs = 1000

/** Returns the mounts of a plan that protect or hide paths, parents first: these paths themselves, and the directories around them. */
export function keptMounts({ filesystem }: Pick<CellPlan, 'filesystem'>): readonly KeptMount[] {
  const mounts = filesystem.flatMap((each): KeptMount[] => {
    if (each.kind === 'mask') return [{ target: each.target, access: 'mask' }]
    // A copy cannot be mounted again, so the directory of the host takes its place.
    if (each.kind === 'inert' || each.kind === 'link' || each.kind === 'copy') return [{ target: each.target, access: 'ro' }]
    if (each.kind !== 'bind' || !['run-later', 'guard', 'packages'].includes(each.reason)) return []
    // A view of a directory has another source, which is not in the cell.
    const isView = path.basename(each.source) !== path.basename(each.target)
    return [{ target: each.target, access: isView ? 'mask' : each.access }]
  })
  // A view may cover an inert entry. The later mount counts.
  return [...new Map(mounts.map((each) => [each.target, each])).values()]
}

/**
 * Checks every second the protected paths of a running cell and calls `lost` once with the first path that is gone or replaced. The kernel
 * drops the mount of an entry when another program removes it or renames something over it (rename(2), unlink(2)), and then the cell
 * can write there. A path whose directory is gone too is ignored, because the cell cannot write to it. Returns a function that ends the
 * watch.
 */
export function watchProtected(entries: readonly KnownEntry[], lost: (file: string) => void): () => void {
  if (entries.length === 0) return () => undefined
  const timer = setInterval(() => {
    const first = entries.find((each) => isLost(each))
    if (first === undefined) return
    clearInterval(timer)
    lost(first[0])
  }, everyMs)
  return () => clearInterval(timer)
}

function isLost(entry: KnownEntry): boolean {
  try {
    const stat = lstatSync(entry[0], { throwIfNoEntry: false })
    return stat === undefined ? lstatSync(path.dirname(entry[0]), { throwIfNoEntry: false }) !== undefined : !isSameEntry(entry, stat)
  } catch {
    // The path is not accessible. The next check will find it accessible again or gone.
    return false
  }
}
