import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../errors.ts'
import { identify, isRunning } from '../system/process-identity.ts'
import { openKernelLock } from './kernel-lock.ts'
import { readRegular } from './read-regular.ts'

/** What a process takes for itself, and what others read about it meanwhile. */
export interface LockWish {
  readonly file: string
  /** What is locked, as the subject of a sentence: `The contest in /work/c`. */
  readonly what: string
  /** Who takes it: `paddock contest run`. */
  readonly command: string
  /** Milliseconds to wait for another holder; absent: none. */
  readonly patienceMs?: number
  /** Shown to a caller that does not get it. Absent: to wait for the holder or to end it. */
  readonly hint?: string
}

/** Who notes that it holds a lock. */
export interface Holder {
  readonly pid: number
  readonly started: string
  readonly command: string
  /** ISO 8601. */
  readonly since: string
}

/**
 * Takes a lock for this process. The kernel gives it back when the process is gone, however it went; the lock's file stays, and a note beside it
 * tells who holds it. The file must be where nobody else can write: whatever is under its name is opened as a database.
 * @throws PaddockError BUSY, naming the holder.
 */
export async function takeLock(wish: LockWish): Promise<Disposable> {
  const lock = await tryLock(wish)
  if (lock !== null) return lock
  const holder = await holderOf(wish.file)
  throw new PaddockError('BUSY', `${wish.what} is in use by ${holderText(holder)}.`, {
    hint: wish.hint ?? (holder === null ? 'Try again' : `Wait for it, or end it with: kill ${holder.pid}`),
  })
}

/** The same; null if another holder keeps it for `patienceMs`. */
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

/** Returns who holds the lock of this file, for a sentence: `paddock contest run, process 12, since 2026-11-22T20:04:07.120Z`. */
export async function lockHolder(file: string): Promise<string> {
  return holderText(await holderOf(file))
}

/** Returns true while a running process notes that it holds this lock. Takes nothing. */
export async function isHeld(file: string): Promise<boolean> {
  return (await holderOf(file)) !== null
}

const noteOf = (file: string): string => `${file}.holder`

/** Only the holder writes it. Without a note the lock is as good. */
async function note(file: string, command: string): Promise<void> {
  const self = await identify(process.pid)
  const holder: Holder = { pid: process.pid, started: self?.started ?? '', command, since: new Date().toISOString() }
  try {
    rmSync(noteOf(file), { force: true })
    writeFileSync(noteOf(file), `${JSON.stringify(holder)}\n`, { flag: 'wx', mode: 0o600 })
  } catch {
    // A full disk.
  }
}

/** Returns the running process that notes that it holds this lock; null: the note is missing, or of a process that is gone. */
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
