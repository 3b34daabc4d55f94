import { lstatSync, type Stats } from 'node:fs'

/**
 * An entry of the file system at some moment: its path, its inode number, and when it was made (milliseconds since the epoch; 0 if the
 * file system does not say; absent in records of older versions). Inode numbers are used again, so that both tell one entry from another.
 */
export type KnownEntry = readonly [path: string, inode: number, bornMs?: number]

/** Returns what is at these paths now, without the paths that do not exist. */
export function knownEntries(files: readonly string[]): KnownEntry[] {
  return files.flatMap((each): KnownEntry[] => {
    const stat = lstatSync(each, { throwIfNoEntry: false })
    return stat === undefined ? [] : [[each, stat.ino, stat.birthtimeMs]]
  })
}

/** True if an entry is still the one that was known. */
export function isSameEntry([, inode, bornMs]: KnownEntry, stat: Stats): boolean {
  return stat.ino === inode && (bornMs === undefined || stat.birthtimeMs === bornMs)
}
