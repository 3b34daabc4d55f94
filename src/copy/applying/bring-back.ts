import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'

/** Errors if a hard link cannot be made: another mount, a file system without hard links, a rule against them, too many. */
const noLink = new Set(['EXDEV', 'EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'EMLINK'])
const code = (error: unknown): string => codeOf(error) ?? ''

/**
 * Restores a kept file to its name if the name is free: as a hard link, else as a copy, in one step in either case. `kept` stays.
 * Throws EEXIST if the name is taken.
 */
export function giveName(kept: string, safe: string): void {
  try {
    linkSync(kept, safe)
    return
  } catch (error) {
    if (!noLink.has(code(error))) throw error
  }
  if (lstatSync(kept).isSymbolicLink()) return linkAgain(kept, safe)
  const temporary = copyBeside(kept, safe)
  try {
    linkSync(temporary, safe)
  } catch (error) {
    if (!noLink.has(code(error))) throw error
    if (lstatSync(safe, { throwIfNoEntry: false }) !== undefined) throw Object.assign(new Error(`EEXIST: ${safe}`), { code: 'EEXIST' })
    renameSync(temporary, safe)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Does the same as `giveName`, but replaces an existing file. `kept` may be gone afterwards. */
export function replaceBy(kept: string, safe: string): void {
  try {
    renameSync(kept, safe)
  } catch (error) {
    if (code(error) !== 'EXDEV') throw error
    renameSync(copyBeside(kept, safe), safe)
  }
}

/** Keeps a hard link to a file as long as an apply may be undone, or a copy of the file if a hard link is not possible. */
export function keepOld(safe: string, kept: string): void {
  try {
    linkSync(safe, kept)
  } catch (error) {
    if (!noLink.has(code(error))) throw error
    if (lstatSync(safe).isSymbolicLink()) linkAgain(safe, kept)
    else copyWhole(safe, kept)
  }
}

function copyBeside(kept: string, safe: string): string {
  const temporary = path.join(path.dirname(safe), `.paddock-undo-${randomBytes(6).toString('hex')}`)
  try {
    if (lstatSync(kept).isSymbolicLink()) linkAgain(kept, temporary)
    else copyWhole(kept, temporary)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return temporary
}

function linkAgain(from: string, to: string): void {
  const facts = lstatSync(from)
  symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to)
  if (process.geteuid?.() === 0) lchownSync(to, facts.uid, facts.gid)
  lutimesSync(to, facts.atime, facts.mtime)
}

/** Copies a file and syncs the copy to disk before it returns, because the source may be deleted next. */
function copyWhole(from: string, to: string): void {
  const facts = lstatSync(from)
  if (!facts.isFile()) throw new Error(`${from} is not a regular file`)
  copyFileSync(from, to, constants.COPYFILE_EXCL)
  if (process.geteuid?.() === 0) lchownSync(to, facts.uid, facts.gid)
  chmodSync(to, facts.mode & 0o777)
  utimesSync(to, facts.atime, facts.mtime)
  const descriptor = openSync(to, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
