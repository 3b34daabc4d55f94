import { lstatSync, readFileSync, rmSync, type Stats, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Entry, isLink, type Stamp, type Stamped } from './manifest.ts'

/**
 * The f_type of file systems that set the change time on each write, also through a mapping, and never let a program set it: ext2 to
 * ext4, XFS, Btrfs (statfs(2)). Others are not trusted: FAT has no change time, tmpfs did not set it for mappings, and network file systems
 * use the server's clock.
 */
const trusted: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e])

export function stampOf(stat: Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs'>): Stamp {
  return { ino: stat.ino, mtime: stat.mtimeMs, ctime: stat.ctimeMs }
}

/**
 * Returns true if a file is the one that was hashed and has not been written to since. All facts must be equal; an older time proves
 * nothing.
 */
export function isAsHashed(
  entry: { readonly size: number; readonly stamp?: Stamp | undefined },
  stat: Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs' | 'size' | 'dev'>,
  device: number,
): boolean {
  const { stamp } = entry
  if (stamp === undefined || stat.dev !== device || stat.size !== entry.size) return false
  return stat.ino === stamp.ino && stat.ctimeMs === stamp.ctime && stat.mtimeMs === stamp.mtime
}

/**
 * Returns the entries without the stamps that a later write could repeat. Such stamps have a change time that is not before `now`, the
 * change time of a file that was written after all of the entries. Git calls such entries racy.
 */
export function withoutRacy(entries: readonly Entry[], now: number): Entry[] {
  return entries.map((each) => {
    if (isLink(each) || each.stamp === undefined || each.stamp.ctime < now) return each
    const { stamp: _, ...rest } = each
    return rest
  })
}

/** Returns the scope in which stamps of files in a tree are valid; null if stamps there cannot be trusted. */
export function stampedIn(tree: string): Stamped | null {
  if (process.platform !== 'linux') return null
  try {
    if (!trusted.has(statfsSync(tree).type)) return null
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { boot, device: lstatSync(tree).dev }
  } catch {
    return null
  }
}

/** Returns the change time of a file written now, by the clock of this directory's file system. */
export function timeIn(directory: string): number {
  const file = path.join(directory, 'time')
  writeFileSync(file, '', { flag: 'wx' })
  try {
    return lstatSync(file).ctimeMs
  } finally {
    rmSync(file)
  }
}
