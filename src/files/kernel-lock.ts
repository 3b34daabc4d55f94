import { chmodSync, lstatSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openSqlite } from './sqlite.ts'

/** A lock between processes that the kernel itself gives back when its holder is gone, however it went. */
export interface KernelLock {
  /** Runs `work` exclusively among all processes that use this file, and blocks while it waits. Null if the lock was not free within `waitMs`. */
  alone<T>(waitMs: number, work: () => T): { readonly done: T } | null
  /** Holds it until the returned function is called, without blocking while it waits. Null if it was not free within `waitMs`. */
  hold(waitMs: number): Promise<(() => void) | null>
  close(): void
}

/** What nobody ever wakes: waiting for it is a pause. */
const never = new Int32Array(new SharedArrayBuffer(4))
const pauseMs = (): number => 2 + Math.random() * 20

/**
 * Node has no fcntl(2). SQLite has, and keeps to its rules (all descriptors of one file share a process's locks): the transaction of
 * a writer on an empty database, which never writes anything and needs no journal, is the lock (sqlite.org/lockingv3.html, RESERVED).
 * Settings of the database would only load more of SQLite: 0.5 MB of each process.
 */
export function openKernelLock(file: string): KernelLock {
  const database = openSqlite(file)
  makePrivate(file)
  const begin = (): boolean => {
    try {
      database.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      // SQLITE_BUSY, whatever its extended code.
      if (((error as { errcode?: number }).errcode ?? 0) % 256 === 5) return false
      throw error
    }
  }
  return {
    alone(waitMs, work) {
      const until = performance.now() + waitMs
      while (!begin()) {
        if (performance.now() >= until) return null
        Atomics.wait(never, 0, 0, pauseMs())
      }
      try {
        return { done: work() }
      } finally {
        database.exec('ROLLBACK')
      }
    },
    async hold(waitMs) {
      const until = performance.now() + waitMs
      while (!begin()) {
        if (performance.now() >= until) return null
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

/** Like `alone`, but runs `work` without the lock if it is not free, or if its file cannot be opened or is not a lock. */
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

/** SQLite makes files that everybody may read. By path: a descriptor that is closed here would give back what this process holds (fcntl(2)). */
function makePrivate(file: string): void {
  try {
    if ((lstatSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch {
    // It is another user's, whose directory keeps it.
  }
}
