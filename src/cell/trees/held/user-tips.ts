import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../../files/read-regular.ts'
import { refuseNewer } from '../../../files/stored-json.ts'
import { headKey, type RefSnapshot, refSnapshot } from '../../../git/ref-snapshot.ts'
import { changedSince, textOfHead } from '../../../git/tips.ts'

/** The record about one repository. */
interface Saved {
  readonly schemaVersion: 1
  /** Commits that refs had before any cell could write to the repository, or that refs got while no cell could. Newest last. */
  readonly users: readonly string[]
  /** The refs at the end of the last cell. Null if they could not be read or recorded. */
  readonly refs: RefSnapshot | null
}

const mostUsers = 5000
const mostBytes = 64 * 1024 ** 2

/**
 * Returns the commits to which the user, and no cell, has pointed refs of a repository, and records them. `records`: a persistent directory
 * of Paddock's own. `headOf`: returns the text of a HEAD, given the git directory of a work tree. `isShared`: returns true if another cell can write to the repository now, so that a new ref may be its own.
 */
export function userTips(records: string, common: string, headOf: (own: string) => string, isShared: () => boolean): readonly string[] {
  const file = fileFor(records, common)
  const saved = file === null ? null : read(file)
  if (file !== null) refuseNewer(file, saved)
  // Read before the question, so that a cell that starts in between has not changed them.
  const now = refSnapshot(common, headOf)
  if (file === null || now === null || isShared()) return saved?.users ?? []
  const users = new Set(saved?.users)
  for (const [ref, id] of Object.entries(now)) if (id !== '' && (saved === null || isNew(saved.refs, ref, id))) users.add(id)
  const all = [...users].slice(-mostUsers)
  write(file, { schemaVersion: 1, users: all, refs: now })
  return all
}

/**
 * Records the refs of a repository at the end of a cell that could write to it since a time (milliseconds since the epoch). Only later changes
 * count as the user's.
 */
export function saveRefs(records: string, common: string, since: number): void {
  const file = fileFor(records, common)
  if (file === null) return
  // That of a newer version, which was installed while the cell ran, proves nothing to this one.
  const found = read(file)
  const saved = found?.schemaVersion === 1 ? found : null
  const refs = saved?.refs ?? null
  // A HEAD that is not in the record names a branch.
  const headOf = (own: string): string =>
    refs === null || changedSince(path.join(own, 'HEAD'), since) ? textOfHead(own) : (refs[headKey(common, own)] ?? 'ref:')
  write(file, { schemaVersion: 1, users: saved?.users ?? [], refs: refSnapshot(common, headOf) })
}

function isNew(before: RefSnapshot | null, ref: string, id: string): boolean {
  if (before === null) return false
  const earlier = before[ref]
  return earlier === undefined || (earlier !== '' && earlier !== id)
}

/** Returns the file of a repository, which is named after the identity of its directory, so that it can be moved. */
function fileFor(records: string, common: string): string | null {
  const stat = statSync(common, { throwIfNoEntry: false })
  return stat === undefined ? null : path.join(records, `${stat.dev}-${stat.ino}-${Math.trunc(stat.birthtimeMs)}.json`)
}

/** Returns a record; null only if there is none. One that cannot be read proves nothing, so that no ref counts as the user's. */
function read(file: string): Saved | null {
  const text = readRegularSync(file, mostBytes)
  if (text === null && lstatSync(file, { throwIfNoEntry: false }) === undefined) return null
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (isOfNewer(value) || isSaved(value)) return value
  } catch {
    // It is not complete, or not a plain file.
  }
  return nothing
}

const nothing: Saved = { schemaVersion: 1, users: [], refs: null }

function isOfNewer(value: unknown): value is Saved {
  return typeof value === 'object' && value !== null && Number((value as Partial<Saved>).schemaVersion) > 1
}

function isSaved(value: unknown): value is Saved {
  if (typeof value !== 'object' || value === null) return false
  const { users, refs } = value as Partial<Saved>
  return Array.isArray(users) && users.every((each) => typeof each === 'string') && typeof refs === 'object' && !Array.isArray(refs)
}

/** A cell decides how long the names of refs are. Refs that would make the record too large to be read are left out. */
function write(file: string, saved: Saved): void {
  const whole = JSON.stringify(saved)
  const text = Buffer.byteLength(whole) <= mostBytes ? whole : JSON.stringify({ ...saved, refs: null })
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
  renameSync(temporary, file)
}
