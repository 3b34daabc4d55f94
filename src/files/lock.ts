import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../errors.ts'
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts'

export interface Lock extends AsyncDisposable {
  /** Gives the lock back. Idempotent. */
  release(): Promise<void>
}

interface Holder extends ProcessIdentity {
  /** Tells two locks of one process apart. */
  readonly id: string
}

/**
 * Takes a lock file for this process. The file says who holds it; a holder that no longer runs (also after `kill -9`,
 * also when its number was given to somebody else) loses it to the next who asks.
 * Throws CONTEST_BUSY while another holder runs; `what` names the locked thing in the message.
 */
export async function takeLock(file: string, what: string): Promise<Lock> {
  await mkdir(path.dirname(file), { recursive: true })
  await sweepTemporary(file)
  return take(file, what, 0)
}

/** A file that is being written has no whole content for a moment. */
const writingMs = 60_000

/** Deletes what takers of this lock left that were killed while they took it. */
async function sweepTemporary(file: string): Promise<void> {
  const start = `${path.basename(file)}.`
  for (const each of await readdir(path.dirname(file)).catch(() => [])) {
    if (!each.startsWith(start) || !/^(takeover\.)*[0-9a-f]{16}\.tmp$/.test(each.slice(start.length))) continue
    const temporary = path.join(path.dirname(file), each)
    const holder = await readHolder(temporary)
    const facts = await lstat(temporary).catch(() => null)
    const isLeft = holder === null ? facts !== null && Date.now() - facts.mtimeMs > writingMs : !(await isRunning(holder))
    if (isLeft) await rm(temporary, { force: true })
  }
}

const maxContenders = 3

async function take(file: string, what: string, depth: number): Promise<Lock> {
  const self = await identify(process.pid)
  const holder: Holder = { pid: process.pid, started: self?.started ?? 'unknown', id: randomBytes(8).toString('hex') }
  const temporary = `${file}.${holder.id}.tmp`
  try {
    await writeFile(temporary, `${JSON.stringify(holder)}\n`, { flag: 'wx' })
    if (!(await linkNew(temporary, file))) await takeOver(file, temporary, what, depth)
  } finally {
    await rm(temporary, { force: true })
  }
  const release = async (): Promise<void> => {
    if ((await readHolder(file))?.id === holder.id) await rm(file, { force: true })
  }
  return { release, [Symbol.asyncDispose]: release }
}

/**
 * Replaces the lock of a holder that is gone. Who may do so is decided by a second lock beside the first, so that two
 * who find the same dead holder cannot both win.
 */
async function takeOver(file: string, temporary: string, what: string, depth: number): Promise<void> {
  const busy = (holder: Holder | null): PaddockError =>
    new PaddockError('CONTEST_BUSY', `${what} is in use by ${holder ? `process ${holder.pid}` : 'another process'}`, {
      hint: holder ? `wait for it, or end it with: kill ${holder.pid}` : 'try again',
    })
  const seen = await readHolder(file)
  if (seen && (await isRunning(seen))) throw busy(seen)
  if (depth >= maxContenders) throw busy(null)
  await using _claim = await take(`${file}.takeover`, what, depth + 1)
  // It may have been given back meanwhile, and taken by a third who never looked at the holder: link says so, rename would not.
  if (await linkNew(temporary, file)) return
  const now = await readHolder(file)
  if (now && (await isRunning(now))) throw busy(now)
  await rename(temporary, file)
}

async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Null: no lock, or one that nobody can have written whole. */
async function readHolder(file: string): Promise<Holder | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof value !== 'object' || value === null) return null
    const { pid, started, id } = value as Partial<Holder>
    return typeof pid === 'number' && typeof started === 'string' && typeof id === 'string' ? { pid, started, id } : null
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
