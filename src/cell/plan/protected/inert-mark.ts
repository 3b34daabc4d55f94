import { lstatSync, lutimesSync, type Stats } from 'node:fs'

/** The modification time of every inert entry, in seconds since the epoch, by which another Paddock knows it from a file of the user's. */
const mark = 981_173_106

/** Marks an inert entry that was just made. Throws the system's error. */
export function markInert(file: string): void {
  lutimesSync(file, mark, mark)
}

/** True for an entry that a Paddock made for a running cell, or left behind when it was killed, and in which nothing was written since. */
export function isMarkedInert(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat !== undefined && hasInertMark(stat)
}

/** The same for an entry that was looked at. */
export function hasInertMark(stat: Stats): boolean {
  return !stat.isSymbolicLink() && stat.mtimeMs === mark * 1000
}
