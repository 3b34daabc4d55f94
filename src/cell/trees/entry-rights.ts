import { closeSync, fchmodSync, fstatSync, type Stats } from 'node:fs'
import path from 'node:path'
import { lstatOrNull } from '../../files/tree-names.ts'
import type { WalkEntry } from '../../files/walk.ts'

/**
 * Makes a directory accessible to its owner again. A cell may have removed the permissions. A non-root user could then neither enter it
 * nor quarantine its contents. The walk reports a directory that stays inaccessible.
 */
export function openEntry(entry: WalkEntry): void {
  try {
    entry.openToOwner()
  } catch {
    // The walk reports this directory as not searched.
  }
}

/**
 * Clears the set-user-ID and set-group-ID bits of a file. A file keeps them when it is written to through a mapping (inode(7)), and would
 * then run with its owner's rights. Throws the system's error.
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
 * Clears the set-user-ID and set-group-ID bits of a new directory, except an inherited set-group-ID bit (mkdir(2)). `base` is the
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
