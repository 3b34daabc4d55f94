import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../../../base/errors.ts'
import { inDirectory } from '../../../files/in-directory.ts'
import { readRegularBytes } from '../../../files/read-regular.ts'

const mostBytes = 256 * 1024 ** 2

/**
 * Replaces the index of a git directory under git's own lock (`index.lock`). `change`: returns the new bytes, or null to leave the index.
 * `waitMs`: milliseconds to wait for another git that writes the index. Resolves to false if it holds the lock for longer, or if the index
 * was left. Never removes the lock of another program.
 */
export async function rewriteIndex(git: string, waitMs: number, change: (bytes: Buffer) => Buffer | null): Promise<boolean> {
  for (const until = Date.now() + waitMs; ; await setTimeout(50)) {
    try {
      return inDirectory(path.join(git, 'index'), (index) => rewrite(index, change))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || Date.now() >= until) return false
    }
  }
}

/** Throws the system's error, EEXIST if another program holds the lock. */
function rewrite(index: string, change: (bytes: Buffer) => Buffer | null): boolean {
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
    const changed = bytes === null ? null : change(bytes)
    if (changed === null) return false
    for (let at = 0; at < changed.length; ) at += writeSync(descriptor, changed, at)
    renameSync(lock, index)
    isPlaced = true
    return true
  } finally {
    closeSync(descriptor)
    if (!isPlaced) unlinkSync(lock)
  }
}
