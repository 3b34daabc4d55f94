import { existsSync, lstatSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { foundBy } from '../cell/trees/shared/run-find.ts'
import { hostProgram } from '../system/host-program.ts'
import type { CopyPlace } from './copy-record.ts'
import { type Entry, isLink } from './manifest.ts'

/**
 * The f_type of file systems that set the change time on each write, also through a mapping, and never let a program set it: ext2 to
 * ext4, XFS, Btrfs (statfs(2)). Others are not trusted: FAT has no change time, tmpfs did not set it for mappings, and network file systems
 * use the server's clock.
 */
const trusted: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e])

/** With fewer entries and bytes, hashing all of them again takes less time than listing them. */
const worthwhile = { entries: 300, bytes: 16 * 1024 ** 2 }

const printed = '%D %i %s %T@ %C@ %P\\0'
const noGit = ['-name', '.git', '-prune', '-o']

/** A copy as find(1) lists it. Paths are relative to the copy, and have one character for each byte. */
export interface Listed {
  readonly directories: readonly string[]
  /** The stamp and the path of each other entry. */
  readonly entries: readonly (readonly [stamp: string, path: string])[]
  /** The stamps that the files had when they were hashed. */
  readonly stamps: ReadonlySet<string>
}

/**
 * Lists the inode, size, times and path of each file that was hashed, so that a file for which all of them are still equal need not be read
 * again. An older time proves nothing. Left out are files that a later write in the same tick of the clock would not change (git calls them
 * racy). Must be called before a cell can write to the copy.
 */
export async function writeStamps(place: CopyPlace, hashed: readonly Entry[]): Promise<void> {
  const bytes = hashed.reduce((sum, each) => sum + (isLink(each) ? 0 : each.size), 0)
  const scope = hashed.length < worthwhile.entries && bytes < worthwhile.bytes ? null : scopeOf(place.tree)
  const find = scope === null ? null : hostProgram('find')
  if (find === null) return
  const earlier = timeIn(place.directory) - 1n
  const time = `@${earlier / 1_000_000_000n}.${String(earlier % 1_000_000_000n).padStart(9, '0')}`
  const found = await foundBy(find, [place.tree], [...noGit, '-type', 'f', '!', '-newerct', time, '-printf', printed])
  if (found !== null) writeFileSync(place.stamps, [scope, ...found].join('\0'), { encoding: 'latin1', mode: 0o600 })
}

/** Lists a copy in another process. Null: it has no stamps, or they are no longer valid, or it cannot be listed. */
export async function listCopy(place: CopyPlace): Promise<Listed | null> {
  const find = existsSync(place.stamps) ? hostProgram('find') : null
  if (find === null) return null
  const listing = foundBy(find, [place.tree], [...noGit, '-type', 'd', '-printf', '/%P\\0', '-o', '-printf', printed])
  try {
    const [scope, ...stamps] = readFileSync(place.stamps, 'latin1').split('\0')
    const found = await listing
    if (found === null || scope !== scopeOf(place.tree)) return null
    const [directories, entries]: [string[], [string, string][]] = [[], []]
    for (const each of found)
      if (each.startsWith('/')) directories.push(each.slice(1))
      else entries.push([each, pathIn(each)])
    return { directories, entries, stamps: new Set(stamps) }
  } catch {
    // The copy is being deleted, or the disk is full.
    return null
  }
}

function pathIn(stamp: string): string {
  let at = 0
  for (let fields = 0; fields < 5; fields += 1) at = stamp.indexOf(' ', at) + 1
  return stamp.slice(at)
}

/** Returns what stamps of a tree depend on: after a restart, or on another device, each file is read again. Null: they cannot be trusted. */
function scopeOf(tree: string): string | null {
  if (process.platform !== 'linux' || !trusted.has(statfsSync(tree).type)) return null
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return `${boot} ${lstatSync(tree).dev}`
}

/** Returns the change time of a file written now, in nanoseconds by the clock of this directory's file system. */
function timeIn(directory: string): bigint {
  const file = path.join(directory, 'time')
  writeFileSync(file, '', { flag: 'wx' })
  try {
    return lstatSync(file, { bigint: true }).ctimeNs
  } finally {
    rmSync(file)
  }
}
