import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import path from 'node:path'
import { messageOf, PaddockError } from '../errors.ts'
import { HashedCopier } from '../files/copy-hashed.ts'
import { inDirectory } from '../files/in-directory.ts'
import { syncTree } from '../files/sync-tree.ts'
import type { Change } from './change.ts'
import { type Journal, type Step, writeJournal } from './journal.ts'
import { type Entry, isLink, type Manifest, sameEntry } from './manifest.ts'
import { parentsOf } from './names.ts'
import type { CopyPlace } from './record.ts'
import { type Found, findInProject, stillStands } from './standing.ts'
import { finish, undo } from './undo.ts'

/** What `applyChanges` did. */
export interface Applied {
  /** Paths that were written or deleted. */
  readonly written: readonly string[]
  readonly deleted: readonly string[]
  /** Paths where the project had it already. */
  readonly same: readonly string[]
}

/** Paths where the project is no longer what was copied. */
export function movedPaths(project: string, changes: readonly Change[]): readonly string[] {
  return planOf(project, changes).moved
}

/**
 * Takes changes of a copy over into the project, all or none: everything is staged beside the project's files first,
 * then each name is moved into its place in one step; whatever fails is undone, by this call or, after a crash, by
 * `recover`. No link is followed in any part of a path. The caller holds the lock and has recovered.
 * `onStep` is told after each step on the disk; what it throws is taken for a failure.
 * @throws PaddockError `NOT_ALLOWED` where the base moved, `FILES_FAILED`; nothing is changed then
 */
export async function applyChanges(
  place: CopyPlace,
  project: string,
  changes: readonly Change[],
  base: Manifest,
  onStep: () => void = () => undefined,
): Promise<Applied> {
  const { steps, moved, same } = planOf(project, changes)
  if (moved.length > 0) throw baseMoved(moved, place)
  const journal: Journal = {
    schemaVersion: 1,
    phase: 'staging',
    project,
    staging: path.join(project, `.paddock-apply-${place.id}`),
    steps: steps.map((each) => each.step),
    directories: missingDirectories(project, steps),
    base: newBase(base, changes),
  }
  await writeJournal(place.journal, journal)
  let current = journal
  try {
    onStep()
    inDirectory(journal.staging, (safe) => mkdirSync(safe, { mode: 0o700 }))
    onStep()
    const copier = new HashedCopier()
    const staged: Step[] = []
    for (const each of steps) {
      staged.push(await stageOne(place, journal, each, copier))
      onStep()
    }
    await syncTree(journal.staging)
    current = { ...journal, phase: 'committing', steps: staged }
    await writeJournal(place.journal, current)
    onStep()
    commit(place, current, onStep)
    await syncTree(project)
    const done: Journal = { ...current, phase: 'done' }
    await writeJournal(place.journal, done)
    current = done
    onStep()
  } catch (error) {
    if (current.phase === 'done') await finish(place, current)
    else await undo(place, current)
    if (error instanceof PaddockError) throw error
    throw new PaddockError('FILES_FAILED', `Nothing was applied: ${messageOf(error)}.`, {
      hint: 'Look whether you may write there and whether there is room.',
      cause: error,
    })
  }
  await finish(place, current)
  const paths = (action: Step['action']): string[] => steps.filter((each) => each.step.action === action).map((each) => each.step.path)
  return { written: paths('write'), deleted: paths('delete'), same }
}

interface Planned {
  readonly step: Step
  readonly now: Entry | null
}

function planOf(
  project: string,
  changes: readonly Change[],
): { readonly steps: readonly Planned[]; readonly moved: readonly string[]; readonly same: readonly string[] } {
  const [steps, moved, same]: [Planned[], string[], string[]] = [[], [], []]
  const deleted = new Set(changes.filter((each) => each.now === null).map((each) => each.path))
  for (const change of changes) {
    const found = findInProject(project, change.path)
    const entry = found.kind === 'entry' ? found.entry : null
    if (found.kind !== 'directory' && found.kind !== 'blocked' && sameEntry(entry, change.now)) same.push(change.path)
    else if (!isAsCopied(found, change, deleted)) moved.push(change.path)
    else
      steps.push({
        step: {
          path: change.path,
          slot: steps.length,
          action: change.now === null ? 'delete' : 'write',
          standing: found.kind === 'entry' ? found.standing : null,
          ino: null,
        },
        now: change.now,
      })
  }
  return { steps, moved, same }
}

function isAsCopied(found: Found, change: Change, deleted: ReadonlySet<string>): boolean {
  switch (found.kind) {
    case 'nothing':
      return change.base === null
    case 'entry':
      return sameEntry(found.entry, change.base)
    case 'directory':
      // A directory whose files all go may become a file; that it is empty by then is seen when it is removed.
      return change.now !== null && change.base === null && [...deleted].some((each) => each.startsWith(`${change.path}/`))
    case 'blocked':
      return false
  }
}

function baseMoved(moved: readonly string[], place: CopyPlace): PaddockError {
  const shown = moved.slice(0, 10).join(', ')
  const more = moved.length > 10 ? ` and ${moved.length - 10} more` : ''
  return new PaddockError('NOT_ALLOWED', `Nothing was applied, because the project is no longer what was copied: ${shown}${more}.`, {
    hint: `Apply other paths by name, or put these back as they were. The new versions are in ${place.tree}`,
  })
}

function newBase(base: Manifest, changes: readonly Change[]): Entry[] {
  const entries = new Map(base.entries.map((each) => [each.path, each]))
  for (const each of changes) {
    if (each.now === null) entries.delete(each.path)
    else entries.set(each.path, each.now)
  }
  return [...entries.values()]
}

/** Parents first. */
function missingDirectories(project: string, steps: readonly Planned[]): string[] {
  const needed = new Set(steps.filter((each) => each.now !== null).flatMap((each) => parentsOf(each.step.path)))
  return [...needed].filter((each) => standsAt(path.join(project, each))?.isDirectory() !== true).sort((a, b) => a.length - b.length)
}

/** Null also below what is no directory. */
function standsAt(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    return null
  }
}

/** The new file into the staging directory, and a second name of the old one. */
async function stageOne(place: CopyPlace, journal: Journal, { step, now }: Planned, copier: HashedCopier): Promise<Step> {
  const slot = path.join(journal.staging, String(step.slot))
  if (step.standing !== null) inDirectory(path.join(journal.project, step.path), (safe) => keepOld(safe, `${slot}.old`))
  if (now === null) return step
  if (isLink(now)) symlinkSync(now.target, slot)
  else {
    const source = inDirectory(path.join(place.tree, step.path), (safe) =>
      openSync(safe, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
    )
    try {
      const copied = await copier.copy(source, slot, now.mode, now.size)
      if (copied?.sha256 !== now.sha256) throw new Error(`${step.path} changed in the copy meanwhile`)
    } finally {
      closeSync(source)
    }
  }
  if (process.geteuid?.() === 0) {
    const owner = ownerFor(journal.project, step.path)
    lchownSync(slot, owner.uid, owner.gid)
    if (!isLink(now)) chmodSync(slot, now.mode)
  }
  return { ...step, ino: lstatSync(slot).ino }
}

/** A hard link; where the system allows none (protected_hardlinks, proc(5)), the bytes. */
function keepOld(safe: string, old: string): void {
  try {
    linkSync(safe, old)
  } catch (error) {
    if (!lstatSync(safe).isFile()) throw error
    copyFileSync(safe, old, constants.COPYFILE_EXCL)
  }
}

/** As root: the file keeps its owner; a new one belongs to whom the directory belongs that it comes to be in. */
function ownerFor(project: string, file: string): Pick<Stats, 'uid' | 'gid'> {
  for (const each of [file, ...parentsOf(file)]) {
    const stat = standsAt(path.join(project, each))
    if (stat !== null) return stat
  }
  return lstatSync(project)
}

function commit(place: CopyPlace, journal: Journal, onStep: () => void): void {
  const at = <T>(file: string, act: (safe: string) => T): T => inDirectory(path.join(journal.project, file), act)
  const unmoved = (safe: string, step: Step): void => {
    // Staging gave the old file a second name; that changes neither its times but ctime nor its size.
    if (!stillStands(safe, step.standing)) throw baseMoved([step.path], place)
  }
  for (const step of journal.steps) {
    if (step.action !== 'delete') continue
    at(step.path, (safe) => {
      unmoved(safe, step)
      unlinkSync(safe)
    })
    onStep()
  }
  for (const step of journal.steps) if (step.action === 'write' && step.standing === null) clearDirectory(journal.project, step.path)
  for (const each of journal.directories) {
    at(each, (safe) => {
      const mode = (standsAt(path.join(place.tree, each))?.mode ?? 0o755) & 0o777
      mkdirSync(safe)
      chmodSync(safe, mode | 0o700)
      const parent = lstatSync(`${path.dirname(safe)}/.`)
      if (process.geteuid?.() === 0) lchownSync(safe, parent.uid, parent.gid)
    })
    onStep()
  }
  for (const step of journal.steps) {
    if (step.action !== 'write') continue
    const slot = path.join(journal.staging, String(step.slot))
    at(step.path, (safe) => {
      unmoved(safe, step)
      if (step.standing === null) placeNew(slot, safe)
      else renameSync(slot, safe)
    })
    onStep()
  }
}

/** Never over what came to be there meanwhile. */
function placeNew(slot: string, safe: string): void {
  try {
    linkSync(slot, safe)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') throw error
    // A file system without hard links.
    renameSync(slot, safe)
  }
}

/** Where a file comes in place of a directory: the directory, which is empty by now. */
function clearDirectory(project: string, file: string): void {
  const directory = path.join(project, file)
  if (standsAt(directory)?.isDirectory() === true) inDirectory(directory, rmdirSync)
}
