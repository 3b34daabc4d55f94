import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../base/errors.ts'
import { identify, isRunning } from '../system/process-identity.ts'
import { openKernelLock } from './kernel-lock.ts'
import { readRegular } from './read-regular.ts'

/** A lock that a process takes, and the facts about it for other processes. */
export interface LockWish {
  readonly file: string
  /** The locked thing, as the subject of a sentence: `The contest in /home/user/c`. */
  readonly what: string
  /** The command that takes the lock: `paddock contest run`. */
  readonly command: string
  /** How long to wait for another holder, in milliseconds; default: 0. */
  readonly patienceMs?: number
  /** The hint for a caller that does not get the lock. Default: wait for the holder or end it. */
  readonly hint?: string
}

/** The holder of a lock according to its note. */
export interface Holder {
  readonly pid: number
  readonly started: string
  readonly command: string
  /** The time at which the lock was taken, in ISO 8601. */
  readonly since: string
}

/**
 * Takes a lock for this process. The kernel releases it when the process is gone for any reason. The lock's file stays, and a note
 * next to it names the holder. No other user may be able to write to the directory, because any file with that name is opened as a
 * database.
 * @throws PaddockError BUSY, with the holder.
 */
export async function takeLock(wish: LockWish): Promise<Disposable> {
  const lock = await tryLock(wish)
  if (lock !== null) return lock
  const holder = await holderOf(wish.file)
  throw new PaddockError('BUSY', `${wish.what} is in use by ${holderText(holder)}.`, {
    hint: wish.hint ?? (holder === null ? 'Try again' : `Wait for it, or end it with: kill ${holder.pid}`),
  })
}

/** Does the same as `takeLock`; null if another process still holds the lock after `patienceMs`. */
export async function tryLock({
  file,
  command,
  patienceMs = 0,
}: Pick<LockWish, 'file' | 'command' | 'patienceMs'>): Promise<Disposable | null> {
  mkdirSync(path.dirname(file), { recursive: true })
  const lock = openKernelLock(file)
  const release = await lock.hold(patienceMs).catch((error: unknown) => {
    lock.close()
    throw error
  })
  if (release === null) {
    lock.close()
    return null
  }
  await note(file, command)
  let held = true
  return {
    [Symbol.dispose]() {
      if (!held) return
      held = false
      rmSync(noteOf(file), { force: true })
      release()
      lock.close()
    },
  }
}

/** Returns the holder of this file's lock, for a message: `paddock contest run, process 12, since 2026-11-22T20:04:07.120Z`. */
export async function lockHolder(file: string): Promise<string> {
  return holderText(await holderOf(file))
}

/** Returns true if the note of this lock names a running process as its holder. Does not take the lock. */
export async function isHeld(file: string): Promise<boolean> {
  return (await holderOf(file)) !== null
}

const noteOf = (file: string): string => `${file}.holder`

/** Writes the note of the holder. The lock is valid without it. */
async function note(file: string, command: string): Promise<void> {
  const self = await identify(process.pid)
  const holder: Holder = { pid: process.pid, started: self?.started ?? '', command, since: new Date().toISOString() }
  try {
    rmSync(noteOf(file), { force: true })
    writeFileSync(noteOf(file), `${JSON.stringify(holder)}\n`, { flag: 'wx', mode: 0o600 })
  } catch {
    // The disk is full.
  }
}

/** Returns the running process that the note names as the holder; null: the note is missing, or its process is gone. */
export async function holderOf(file: string): Promise<Holder | null> {
  const read = await readRegular(noteOf(file), 4_096)
  if (!read.ok) return null
  try {
    const { pid, started, command, since } = JSON.parse(read.bytes.toString('utf8')) as Partial<Holder>
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof command !== 'string' || typeof since !== 'string') return null
    return (await isRunning({ pid, started })) ? { pid, started, command, since } : null
  } catch {
    return null
  }
}

function holderText(holder: Holder | null): string {
  return holder === null ? 'another process' : `${holder.command}, process ${holder.pid}, since ${holder.since}`
}
