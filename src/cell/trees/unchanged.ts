import { lstatSync, statfsSync } from 'node:fs'
import { hostProgram } from '../../system/host-program.ts'
import { foundBy } from './shared/run-find.ts'

/**
 * The f_type of file systems that change the time of a file with each write, and of a directory with each name in it, and keep inode
 * numbers: ext2 to ext4, XFS, Btrfs, overlayfs, F2FS (statfs(2)). Tmpfs does not if a program writes through a mapping.
 */
const reliable: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x794c7630, 0xf2f52010])
/** Below this number of directories, looking into all of them takes less time. */
const worthwhile = 300
/** The clock of files lags behind, in milliseconds. */
const lagMs = 20

/**
 * Returns the directories of a tree in which nothing has changed since a time at any depth, as paths with one character for each byte: it is
 * still the same directory, and neither its change time nor that of an entry is later (inode(7), ctime, which a program cannot set). A move
 * changes the time of a directory, and those below it are no longer the same ones at their paths. `before`: the directories at that time
 * (`linkedNames`). Returns none if it is not known, or not worth while.
 * @param since milliseconds since the epoch
 */
export async function unchangedDirectories(root: string, before: readonly string[], since: number): Promise<ReadonlySet<string>> {
  const device = before.length >= worthwhile && since > 0 ? reliableDevice(root) : null
  const find = device === null ? null : hostProgram('find')
  if (find === null) return new Set()
  const time = `@${((since - lagMs) / 1000).toFixed(3)}`
  const changed = ['-newerct', time, '-printf']
  const words = ['-type', 'd', '(', ...changed, 'c%p\\0', '-o', '-printf', 'd%D %i %p\\0', ')', '-o', ...changed, 'c%h\\0']
  const parts = await foundBy(find, [root], words)
  if (parts === null) return new Set()
  const same = new Set(before.filter((each) => each.startsWith(`${device} `)))
  const unchanged = new Set<string>()
  const changedOnes: string[] = []
  for (const part of parts) {
    const [kind, rest] = [part[0], part.slice(1)]
    const directory = kind === 'c' ? rest : rest.slice(rest.indexOf('/'))
    if (kind === 'd' && same.has(rest)) unchanged.add(directory)
    else changedOnes.push(directory)
  }
  const seen = new Set<string>()
  for (const each of changedOnes)
    for (let at = each; at !== '' && !seen.has(at); at = at.slice(0, at.lastIndexOf('/'))) {
      seen.add(at)
      unchanged.delete(at)
    }
  return unchanged
}

function reliableDevice(root: string): number | null {
  try {
    return reliable.has(statfsSync(root).type) ? lstatSync(root).dev : null
  } catch {
    // It is gone.
    return null
  }
}
