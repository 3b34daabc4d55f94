import { createHash, type Hash, randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { openToOwner } from '../../../files/owner-access.ts'
import type { HomePart } from '../../plan/home-data.ts'

/**
 * Returns what acts in a private home, by path relative to it, with a mark that differs after each change: a cell cannot set the time at
 * which the status of a file changes. Each character of a path is one byte of it (latin1). Directories without any file are left out. Links
 * are not followed. No program may replace directories meanwhile.
 */
export function actingEntries(home: string, partOf: (relative: string) => HomePart): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const root = Buffer.from(home)
  const look = (below: string): void => {
    for (const name of namesIn(below === '' ? root : child(root, Buffer.from(below, 'latin1')))) {
      const relative = (below === '' ? '' : `${below}/`) + name.toString('latin1')
      const part = partOf(relative)
      if (part === 'data') continue
      const file = child(root, Buffer.from(relative, 'latin1'))
      if (part === 'around' && lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true) look(relative)
      else {
        const mark = markOf(file)
        if (mark !== null) found.set(relative, mark)
      }
    }
  }
  look('')
  return found
}

/** Returns the mark of an entry; null if it does not exist, or is a directory without any file. */
function markOf(entry: Buffer): string | null {
  const hash = createHash('sha256')
  return add(hash, entry) > 0 ? hash.digest('hex').slice(0, 32) : null
}

/** Adds an entry to the hash. Returns the number of files in it. */
function add(hash: Hash, file: Buffer): number {
  try {
    const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) return 0
    const { mode, uid, size, mtimeNs, ctimeNs, ino } = stat
    if (!stat.isDirectory()) {
      const target = stat.isSymbolicLink() ? readlinkSync(file, 'latin1') : ''
      hash.update(JSON.stringify([[mode, uid, size, mtimeNs, ctimeNs, ino].map(String), target]))
      return 1
    }
    // The times of a directory change when it is moved.
    hash.update(`{${mode} ${uid}`)
    let count = 0
    for (const name of namesIn(file)) {
      hash.update(JSON.stringify(name.toString('latin1')))
      count += add(hash, child(file, name))
    }
    hash.update('}')
    return count
  } catch {
    // A path that is too long, for example. Its mark is always another one, so it counts as written by the last cell.
    hash.update(randomBytes(16))
    return 1
  }
}

function namesIn(directory: Buffer): readonly Buffer[] {
  openToOwner(directory)
  return readdirSync(directory, { encoding: 'buffer' }).sort(Buffer.compare)
}

function child(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), name])
}
