import { closeSync, fchmodSync, fstatSync, type Stats } from 'node:fs'
import path from 'node:path'
import { lstatOrNull } from '../../files/tree-names.ts'
import type { WalkEntry } from '../../files/walk.ts'

/**
 * Opens a directory to its owner again: a cell may have closed it, and a user who is not root could not enter it or move aside what is in
 * it. A directory that stays closed is reported by the walk.
 */
export function openEntry(entry: WalkEntry): void {
  try {
    entry.openToOwner()
  } catch {
    // The walk names it as not searched.
  }
}

/**
 * Clears the set-user-ID and set-group-ID bits of a file. Written to through a mapping, a file keeps them (inode(7)), and would run with
 * its owner's rights. Throws the system's error.
 */
export function clearSetId(entry: WalkEntry): void {
  const descriptor = entry.open()
  try {
    const { mode } = fstatSync(descriptor)
    fchmodSync(descriptor, mode & 0o1777)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Clears these bits of a new directory, except for a set-group-ID bit that it has from the directory around it (mkdir(2)). `base` is the
 * root of the walk. Throws the system's error.
 */
export function clearDirectorySetId(entry: WalkEntry, base: string, relative: string): void {
  const around: Stats | null = lstatOrNull(`${base}/${path.posix.dirname(relative)}`)
  const inherited = around === null ? 0 : around.mode & 0o2000
  const descriptor = entry.open()
  try {
    const { mode } = fstatSync(descriptor)
    if ((mode & 0o6000) !== inherited) fchmodSync(descriptor, (mode & 0o1777) | (mode & inherited))
  } finally {
    closeSync(descriptor)
  }
}
