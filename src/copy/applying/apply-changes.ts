import {
  chmodSync,
  closeSync,
  constants,
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
import { codeOf, messageOf, PaddockError } from '../../base/errors.ts'
import { HashedCopier } from '../../files/copy-hashed.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { syncTree } from '../../files/sync-tree.ts'
import { ownUmask } from '../../files/umask.ts'
import { parentsOf } from '../copy-names.ts'
import type { CopyPlace } from '../copy-record.ts'
import { isLink, type Manifest } from '../manifest.ts'
import type { Change } from '../reviewing/change.ts'
import { type After, type Journal, type Step, writeJournal } from './apply-journal.ts'
import { atName } from './at-name.ts'
import { keepOld } from './bring-back.ts'
import { refuseOtherMounts } from './mounted-places.ts'
import { standingOf, stillStands } from './place-state.ts'
import { type Planned, planOf, standsAt } from './plan-apply.ts'
import { finish, undo } from './undo-apply.ts'

/** The result of `applyChanges`. */
export interface Applied {
  /** Paths that were written or deleted. */
  readonly written: readonly string[]
  readonly deleted: readonly string[]
  /** Paths at which the project already had the new content. */
  readonly same: readonly string[]
}

/** Returns the paths at which the project has changed since it was copied. */
export function movedPaths(project: string, changes: readonly Change[], base: Manifest): readonly string[] {
  return planOf(project, changes, base).moved
}

/**
 * Applies changes of a copy to the project, all or none. All files are staged on the project's file system first, then each is renamed into
 * place in one step. A failure is undone by this call or, after a crash, by `recover`. No link is followed in any part of a path. The
 * caller must hold the lock and have called `recover`. `after` returns the work that remains after that. The returned journal lists it
 * until the caller removes the journal. `onStep` is called after each step on the disk; if it throws, the apply fails.
 * @throws PaddockError `CONFLICT` if the base moved, `FILES_FAILED`; in that case nothing is changed
 */
export async function applyChanges(
  place: CopyPlace,
  project: string,
  changes: readonly Change[],
  base: Manifest,
  onStep: () => void = () => undefined,
  after: (applied: Applied) => After | null = () => null,
): Promise<Applied & { readonly journal: Journal }> {
  const { steps, moved, same, obstacles, cleared, directories } = planOf(project, changes, base)
  if (moved.length > 0) throw baseMoved(moved, place)
  if (obstacles.length > 0) throw inTheWay(obstacles)
  refuseOtherMounts(
    project,
    steps.map((each) => each.step.path),
  )
  const paths = (action: Step['action']): string[] => steps.filter((each) => each.step.action === action).map((each) => each.step.path)
  const applied: Applied = { written: paths('write'), deleted: paths('delete'), same }
  const journal: Journal = {
    schemaVersion: 3,
    phase: 'staging',
    project,
    staging: path.join(project, `.paddock-apply-${place.id}`),
    steps: steps.map((each) => each.step),
    directories: [...directories],
    cleared: [...cleared],
    base: changes.map((each) => ({ path: each.path, now: each.now })),
    after: after(applied),
  }
  await writeJournal(place.journal, journal)
  let current = journal
  try {
    onStep()
    atName(project, path.basename(journal.staging), (safe) => mkdirSync(safe, { mode: 0o700 }))
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
    const beside = current.phase === 'done' ? [] : await undo(place, current)
    if (current.phase === 'done') await finish(place, current)
    if (error instanceof PaddockError && beside.length === 0) throw error
    const said = error instanceof PaddockError ? error.message : `Nothing was applied: ${messageOf(error)}.`
    const others = beside.map((each) => ` ${each.path} was changed meanwhile and is left as it is; its earlier version is in ${each.old}.`)
    throw new PaddockError('FILES_FAILED', `${said}${others.join('')}`, {
      hint: 'Check that you may write there and that the disk has room',
      cause: error,
    })
  }
  await finish(place, current)
  return { ...applied, journal: current }
}

function baseMoved(moved: readonly string[], place: CopyPlace): PaddockError {
  const shown = moved.slice(0, 10).join(', ')
  const more = moved.length > 10 ? ` and ${moved.length - 10} more` : ''
  return new PaddockError('CONFLICT', `Nothing was applied, because the project is no longer what was copied: ${shown}${more}.`, {
    hint: `Apply other paths by name, or put these back as they were. The new versions are in ${place.tree}`,
  })
}

function inTheWay(obstacles: readonly { readonly path: string; readonly why: string }[]): PaddockError {
  const shown = obstacles.slice(0, 10).map((each) => `${each.path} (${each.why})`)
  if (obstacles.length > 10) shown.push(`${obstacles.length - 10} more`)
  return new PaddockError('CONFLICT', `Nothing was applied, because something is in the way: ${shown.join(', ')}.`, {
    hint: 'Apply more paths, or others, by name; or make room',
  })
}

/** Copies the new file into the staging directory, and keeps a hard link to the old one there. */
async function stageOne(place: CopyPlace, journal: Journal, { step, now }: Planned, copier: HashedCopier): Promise<Step> {
  const slot = path.join(journal.staging, String(step.slot))
  if (step.standing !== null) atName(journal.project, step.path, (safe) => keepOld(safe, `${slot}.old`))
  if (now === null) return step
  if (isLink(now)) symlinkSync(now.target, slot)
  else {
    const source = atName(place.tree, step.path, (safe) => openSync(safe, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
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
  return { ...step, made: { ...standingOf(lstatSync(slot)), sha256: isLink(now) ? null : now.sha256 } }
}

/** Returns the owner of a file when Paddock runs as root. An existing file keeps its owner, and a new one gets that of its directory. */
function ownerFor(project: string, file: string): Pick<Stats, 'uid' | 'gid'> {
  // A link that blocks the path now will be gone by then, so its target does not count.
  const real = [file, ...parentsOf(file)].find((each) => {
    const parent = path.dirname(each)
    return (parent === '.' || kindBelow(project, path.join(project, parent)) === 'directory') && standsAt(path.join(project, each)) !== null
  })
  return lstatSync(real === undefined ? project : path.join(project, real))
}

function commit(place: CopyPlace, journal: Journal, onStep: () => void): void {
  const umask = ownUmask()
  const at = <T>(file: string, act: (safe: string) => T): T => atName(journal.project, file, act)
  const unmoved = (safe: string, step: Step): void => {
    // Staging made a hard link to the old file, which changes its ctime, but neither its other times nor its size.
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
  for (const each of journal.cleared) {
    at(each.path, rmdirSync)
    onStep()
  }
  for (const each of journal.directories) {
    at(each, (safe) => {
      const mode = (standsAt(path.join(place.tree, each))?.mode ?? 0o755) & 0o777 & ~umask
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

/** Moves a new file into place. Never replaces a file that was created there in the meantime. */
function placeNew(slot: string, safe: string): void {
  try {
    linkSync(slot, safe)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw error
    // The file system does not support hard links.
    renameSync(slot, safe)
  }
}
