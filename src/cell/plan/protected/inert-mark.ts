import { lstatSync, lutimesSync, type Stats } from 'node:fs'

/** The modification time of every inert entry, in seconds since the epoch. It distinguishes inert entries from a user's files. */
const mark = 981_173_106

/** Marks an inert entry that was just created. Throws the system's error. */
export function markInert(file: string): void {
  lutimesSync(file, mark, mark)
}

/** Returns true for an entry that a Paddock created for a cell (running, or killed since) and that nothing has written to. */
export function isMarkedInert(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat !== undefined && hasInertMark(stat)
}

/** Returns the same as `isMarkedInert`, given the Stats of an entry. */
export function hasInertMark(stat: Stats): boolean {
  return !stat.isSymbolicLink() && stat.mtimeMs === mark * 1000
}
