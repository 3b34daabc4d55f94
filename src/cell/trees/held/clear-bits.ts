import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inDirectory } from '../../../files/in-directory.ts'
import { readRegularBytes } from '../../../files/read-regular.ts'
import { type IndexEntry, withoutSkipBits } from '../../../git/index-file.ts'

const mostBytes = 256 * 1024 ** 2
/** Milliseconds to wait for another git that writes the index. */
const lockMs = 10_000

/**
 * Clears the skip-worktree bits of entries in the index of a git directory, under git's own lock (`index.lock`). Resolves to false if another
 * git holds the lock for too long, or if the index cannot be changed. Never removes the lock of another program.
 */
export async function clearSkipBits(git: string, idBytes: 20 | 32, which: (entry: IndexEntry) => boolean): Promise<boolean> {
  for (const until = Date.now() + lockMs; ; await setTimeout(50)) {
    try {
      return inDirectory(path.join(git, 'index'), (index) => rewrite(index, idBytes, which))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || Date.now() > until) return false
    }
  }
}

/** Throws the system's error, EEXIST if another program holds the lock. */
function rewrite(index: string, idBytes: 20 | 32, which: (entry: IndexEntry) => boolean): boolean {
  const lock = `${index}.lock`
  const descriptor = openSync(lock, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644)
  let isPlaced = false
  try {
    const before = openSync(index, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const facts = fstatSync(before)
      if (!facts.isFile()) return false
      const { mode, uid, gid } = facts
      fchmodSync(descriptor, mode & 0o777)
      if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
    } finally {
      closeSync(before)
    }
    const bytes = readRegularBytes(index, mostBytes)
    const cleared = bytes === null ? null : withoutSkipBits(bytes, idBytes, which)
    if (cleared === null) return false
    for (let at = 0; at < cleared.length; ) at += writeSync(descriptor, cleared, at)
    renameSync(lock, index)
    isPlaced = true
    return true
  } finally {
    closeSync(descriptor)
    if (!isPlaced) unlinkSync(lock)
  }
}
