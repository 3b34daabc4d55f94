import { chmodSync, lstatSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openSqlite } from './sqlite.ts'

/** A lock between processes that the kernel releases when its holder is gone for any reason. */
export interface KernelLock {
  /**
   * Runs `work` exclusively among all processes that use this file. Blocks while it waits. Null if the lock was not free within `waitMs`.
   */
  alone<T>(waitMs: number, work: () => T): { readonly done: T } | null
  /** Holds the lock until the returned function is called. Does not block while it waits. Null if the lock was not free within `waitMs`. */
  hold(waitMs: number): Promise<(() => void) | null>
  close(): void
}

/** Memory that is never notified, so that waiting for it is a pause. */
const never = new Int32Array(new SharedArrayBuffer(4))
const pauseMs = (): number => 2 + Math.random() * 20

/** Returns milliseconds since some time in the past, without the module that `performance` would load. */
const clock = (): number => Number(process.hrtime.bigint() / 1_000_000n)

/**
 * Opens a lock. Node does not offer fcntl(2). SQLite uses it, and follows its rules (all descriptors of one file share a process's locks).
 * The lock is a write transaction on an empty database, which writes nothing and needs no journal (sqlite.org/lockingv3.html, RESERVED).
 * Database settings would only load more of SQLite, 0.5 MB in each process.
 */
export function openKernelLock(file: string): KernelLock {
  const database = openSqlite(file)
  makePrivate(file)
  const begin = (): boolean => {
    try {
      database.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      // This is SQLITE_BUSY, with any extended code.
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === 5) return false
      throw error
    }
  }
  return {
    alone(waitMs, work) {
      const until = clock() + waitMs
      while (!begin()) {
        if (clock() >= until) return null
        Atomics.wait(never, 0, 0, pauseMs())
      }
      try {
        return { done: work() }
      } finally {
        database.exec('ROLLBACK')
      }
    },
    async hold(waitMs) {
      const until = clock() + waitMs
      while (!begin()) {
        if (clock() >= until) return null
        await setTimeout(pauseMs())
      }
      let held = true
      return () => {
        if (held) database.exec('ROLLBACK')
        held = false
      }
    },
    close: () => database.close(),
  }
}

/** Does the same as `alone`, but runs `work` without the lock if it is not free, or if its file cannot be opened or is not a lock. */
export function aloneIfPossible<T>(lockOf: () => KernelLock, waitMs: number, work: () => T): T {
  let begun = false
  try {
    const got = lockOf().alone(waitMs, () => {
      begun = true
      return work()
    })
    if (got !== null) return got.done
  } catch (error) {
    if (begun) throw error
  }
  return work()
}

/** Makes SQLite's file private. Uses the path, because closing a descriptor would release the locks of this process (fcntl(2)). */
function makePrivate(file: string): void {
  try {
    if ((lstatSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch {
    // The file belongs to another user, whose directory protects it.
  }
}
