import { lstatSync } from 'node:fs'
import path from 'node:path'
import { isSameEntry, type KnownEntry } from '../trees/known-entries.ts'

const everyMs = 1000

/**
 * Looks every second at what is protected in a running cell and calls `lost` once with the first path that is gone or replaced: the kernel
 * drops the mount of an entry that another program removes or renames something over (rename(2), unlink(2)), and from then on the cell
 * can write there. A path whose directory is gone as well is left alone, since nothing is there to write to. Returns what ends the watch.
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
    // The way there was closed, which the next look at it finds open again or gone.
    return false
  }
}
