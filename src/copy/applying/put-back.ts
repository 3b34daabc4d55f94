import { chmodSync, closeSync, constants, lchownSync, lstatSync, mkdirSync, openSync, readlinkSync, rmdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { codeOf, messageOf } from '../../base/errors.ts'
import { ownUmask } from '../../files/umask.ts'
import { parentsOf } from '../copy-names.ts'
import { FileTaker } from '../taking/file-taker.ts'
import type { Journal, Step } from './apply-journal.ts'
import { atName } from './at-name.ts'
import { giveName, replaceBy } from './bring-back.ts'
import { stillStands } from './place-state.ts'

export interface Beside {
  readonly path: string
  /** The path of the version from before the apply. */
  readonly old: string
}

interface Failed {
  readonly path: string
  readonly why: string
  /** The path of the version from before the apply. */
  readonly old: string
}

const taker = new FileTaker()

/** Undoes the changes that an apply made to a project, regardless of how far the apply got. Idempotent. */
export function putBack(journal: Journal, id: string): { readonly beside: readonly Beside[]; readonly failed: readonly Failed[] } {
  const [beside, failed]: [Beside[], Failed[]] = [[], []]
  const tried = (step: Pick<Step, 'path' | 'slot'>, act: () => string | null): void => {
    try {
      const name = act()
      if (name !== null) beside.push({ path: step.path, old: name })
    } catch (error) {
      failed.push({ path: step.path, why: messageOf(error), old: oldOf(journal, step) })
    }
  }
  for (const step of journal.steps.toReversed()) if (step.action === 'write') tried(step, () => undoWrite(journal, step, id))
  for (const each of journal.directories.toReversed()) removeMade(journal.project, each)
  for (const each of journal.cleared.toReversed()) {
    try {
      makeAgain(journal.project, each)
    } catch {
      // Restoring a file in the directory then fails too, and reports the problem.
    }
  }
  for (const step of journal.steps) if (step.action === 'delete') tried(step, () => comeBack(journal, step, id))
  return { beside, failed }
}

const oldOf = (journal: Journal, step: Pick<Step, 'slot'>): string => path.join(journal.staging, `${step.slot}.old`)
const stands = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined

/** Replaces the new file with the old one, if the file is still the one that the apply wrote. */
function undoWrite(journal: Journal, step: Step, id: string): string | null {
  const old = oldOf(journal, step)
  const isNew = tolerant(() => atName(journal.project, step.path, (safe) => isMade(safe, step)))
  if (isNew !== true) return step.standing === null ? null : comeBack(journal, step, id)
  atName(journal.project, step.path, (safe) => {
    if (step.standing === null) unlinkSync(safe)
    else if (stands(old)) replaceBy(old, safe)
  })
  return null
}

/** Restores the old file, or places it next to the path if another file was written there. Returns the path next to it, if used. */
function comeBack(journal: Journal, step: Step, id: string): string | null {
  const old = oldOf(journal, step)
  // An earlier, interrupted attempt has already restored it.
  if (!stands(old)) return null
  const mode = 0o777 & ~ownUmask()
  for (const each of parentsOf(step.path).reverse()) makeAgain(journal.project, { path: each, mode, uid: -1, gid: -1 })
  return atName(journal.project, step.path, (safe) => {
    if (stands(safe) && (stillStands(safe, step.standing) || hasSameContent(safe, old))) return null
    if (!stands(safe)) {
      giveName(old, safe)
      return null
    }
    for (let tries = 1; ; tries++) {
      const name = `${path.basename(step.path)}.before-apply-${id}${tries === 1 ? '' : `-${tries}`}`
      const there = path.join(path.dirname(safe), name)
      if (stands(there) && !hasSameContent(there, old)) continue
      if (!stands(there)) giveName(old, there)
      return path.join(path.dirname(step.path), name)
    }
  })
}

/** Returns the result, or undefined if the path no longer exists. */
function tolerant<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined
    throw error
  }
}

function isMade(safe: string, { made }: Step): boolean {
  return made !== null && stillStands(safe, made) && (made.sha256 === null || hashOf(safe) === made.sha256)
}

function hashOf(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return taker.hash(descriptor).sha256
  } finally {
    closeSync(descriptor)
  }
}

function hasSameContent(a: string, b: string): boolean {
  const [one, other] = [lstatSync(a), lstatSync(b)]
  if (one.isSymbolicLink() && other.isSymbolicLink())
    return readlinkSync(a, { encoding: 'buffer' }).equals(readlinkSync(b, { encoding: 'buffer' }))
  return one.isFile() && other.isFile() && one.size === other.size && one.mode === other.mode && hashOf(a) === hashOf(b)
}

/** Removes a directory that the apply made, unless it is no longer empty. */
function removeMade(project: string, directory: string): void {
  try {
    atName(project, directory, rmdirSync)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

/** Recreates a directory that existed before, if it is missing. `uid` -1: the owner of the parent. */
function makeAgain(project: string, { path: directory, mode, uid, gid }: Journal['cleared'][number]): void {
  atName(project, directory, (safe) => {
    if (lstatSync(safe, { throwIfNoEntry: false })?.isDirectory()) return
    const parent = lstatSync(`${path.dirname(safe)}/.`)
    mkdirSync(safe)
    if (process.geteuid?.() === 0) lchownSync(safe, uid < 0 ? parent.uid : uid, uid < 0 ? parent.gid : gid)
    chmodSync(safe, mode)
  })
}
