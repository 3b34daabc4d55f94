import { closeSync, type Stats } from 'node:fs'
import { type WalkEntry, WalkTooLarge, walk } from './walk.ts'

/**
 * Returns the number of bytes written below these places since a time: the blocks of all entries whose change time is not before it
 * (milliseconds since the epoch; 0: of all entries), at least one block each. Stops counting above `limit`. Infinity: it cannot be
 * measured.
 */
export async function writtenSince(places: readonly string[], since: number, limit: number, ended: AbortSignal): Promise<number> {
  const measure: Measure = { since, limit, ended, bytes: 0 }
  for (const place of places) {
    try {
      await addWritten(place, measure, mostStages)
    } catch (error) {
      // So many files exceed any limit. A place that is gone counts as empty.
      if (error instanceof WalkTooLarge) return Number.POSITIVE_INFINITY
    }
  }
  return measure.bytes
}

interface Measure {
  readonly since: number
  readonly limit: number
  readonly ended: AbortSignal
  bytes: number
}

/** The disk usage of a name and an inode without the file's blocks. An empty file counts as much as one with one byte. */
const leastOfEntry = 4096
const mostDepth = 190
/** The maximum number of nested walks. A walk uses descriptors for each level, so a new one starts below its maximum depth. */
const mostStages = 4

/** Adds the bytes written below a place. Places that cannot be measured count as over any limit, because a cell could hide data there. */
async function addWritten(place: string, measure: Measure, stages: number): Promise<void> {
  for await (const entry of walk(place, { maxEntries: 1_000_000, maxDepth: mostDepth })) {
    if (measure.ended.aborted || measure.bytes > measure.limit) return
    if (entry.notEntered !== undefined && entry.names.length > mostDepth) await addBelow(entry, measure, stages - 1)
    else if (entry.notEntered !== undefined && (/E[MN]FILE/.test(entry.notEntered) || isClosedByCell(entry, measure.since)))
      measure.bytes = Number.POSITIVE_INFINITY
    const stat = statOf(entry)
    if (stat !== null && stat.ctimeMs >= measure.since) measure.bytes += Math.max(leastOfEntry, stat.blocks * 512)
  }
}

async function addBelow(entry: WalkEntry, measure: Measure, stages: number): Promise<void> {
  if (stages === 0 || process.platform !== 'linux') {
    measure.bytes = Number.POSITIVE_INFINITY
    return
  }
  let directory: number
  try {
    directory = entry.open()
  } catch {
    if (isClosedByCell(entry, measure.since)) measure.bytes = Number.POSITIVE_INFINITY
    return
  }
  try {
    await addWritten(`/proc/self/fd/${directory}/.`, measure, stages)
  } finally {
    closeSync(directory)
  }
}

/**
 * Returns true for a directory that was closed to the host during the cell, or that is writable but unreadable. The cell cannot enter
 * others either.
 */
function isClosedByCell(entry: WalkEntry, since: number): boolean {
  const stat = statOf(entry)
  if (stat === null || !stat.isDirectory()) return false
  return stat.uid === process.getuid?.() && (stat.mode & 0o400) === 0 && (stat.ctimeMs >= since || (stat.mode & 0o300) === 0o300)
}

/** Returns the facts of an entry; null if it is gone. */
function statOf(entry: WalkEntry): Stats | null {
  try {
    return entry.lstat()
  } catch {
    return null
  }
}
