import { lstatSync, type Stats } from 'node:fs'

/**
 * The identity of a file-system entry: its path, its inode number, and its creation time (milliseconds since the epoch; 0 if the
 * file system does not record it; absent in records of older versions). The time is needed too, because inode numbers are reused.
 */
export type KnownEntry = readonly [path: string, inode: number, bornMs?: number]

/** Returns the current entries at these paths. Paths that do not exist are left out. */
export function knownEntries(files: readonly string[]): KnownEntry[] {
  return files.flatMap((each): KnownEntry[] => {
    const stat = lstatSync(each, { throwIfNoEntry: false })
    return stat === undefined ? [] : [[each, stat.ino, stat.birthtimeMs]]
  })
}

/** Returns true if an entry is still the recorded one. */
export function isSameEntry([, inode, bornMs]: KnownEntry, stat: Stats): boolean {
  return stat.ino === inode && (bornMs === undefined || stat.birthtimeMs === bornMs)
}
