import { existsSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { syncTree } from '../../files/sync-tree.ts'
import type { Manifest } from '../manifest.ts'
import { type CopyPlace, readManifest, writeManifest } from '../record.ts'
import { atName } from './at-name.ts'
import { type Journal, readJournal, removeJournal } from './journal.ts'
import { standsAt } from './plan-apply.ts'
import { type Beside, putBack } from './put-back.ts'

/** What an apply that was interrupted came to. */
export interface Recovered {
  readonly how: 'finished' | 'undone'
  /** Old versions that lie beside what somebody wrote in their place meanwhile. */
  readonly beside: readonly Beside[]
  /** What is still to be done before the journal may go; null: nothing. */
  readonly journal: Journal | null
}

/**
 * Brings an apply that was interrupted to an end: finishes it where every file was in its place already, else undoes it.
 * Idempotent. Null: none was under way. @throws PaddockError `FILES_FAILED` where not everything can be put back
 */
export async function recover(place: CopyPlace): Promise<Recovered | null> {
  const journal = await readJournal(place.journal)
  if (journal === null) return null
  if (journal.phase !== 'done') return { how: 'undone', beside: await undo(place, journal), journal: null }
  await finish(place, journal)
  return { how: 'finished', beside: [], journal: journal.after === null ? null : journal }
}

/**
 * Ends an apply after every file is in its place: from then on the copy counts as made of what the project now has. The journal stays while it
 * lists what is still to be done. `base`: the present manifest, if the caller has read it.
 */
export async function finish(place: CopyPlace, journal: Journal, base?: Manifest): Promise<void> {
  await writeManifest(place, withBase(base ?? (await readManifest(place)), journal.base))
  for (const each of journal.steps) if (each.action === 'delete') removeEmptied(place, journal.project, each.path)
  await removeTree(journal.staging)
  if (journal.after === null) await removeJournal(place.journal)
}

/** The same result however often it is done. Without stamps: those are of what was copied. */
function withBase(manifest: Manifest, changed: Journal['base']): Manifest {
  const entries = new Map(manifest.entries.map((each) => [each.path, each]))
  for (const { path: at, now } of changed) {
    if (now === null) entries.delete(at)
    else entries.set(at, now)
  }
  return { ...manifest, entries: [...entries.values()] }
}

/**
 * Puts everything back. Files that somebody wrote since are left alone, with the old version beside them. If something cannot be put back, all
 * old versions and the journal stay as they are, so that it can be tried again.
 * @throws PaddockError `FILES_FAILED` that names what differs and where its old version is
 */
export async function undo(place: CopyPlace, journal: Journal): Promise<readonly Beside[]> {
  // Without the old versions there is nothing to put back: they are deleted last, or were taken away by hand.
  const { beside, failed } =
    journal.phase === 'committing' && existsSync(journal.staging) ? putBack(journal, place.id) : { beside: [], failed: [] }
  if (failed.length > 0) {
    const shown = failed.slice(0, 5).map((each) => `${each.path} (${each.why}; its old version is ${each.old})`)
    if (failed.length > 5) shown.push(`${failed.length - 5} more`)
    throw new PaddockError('FILES_FAILED', `An apply was broken off, and not everything could be put back: ${shown.join(', ')}.`, {
      hint: `Fix that and run paddock review ${place.id}, which tries again, or take the old versions by hand and delete ${journal.staging}`,
    })
  }
  if (journal.phase === 'committing') await syncTree(journal.project)
  await removeTree(journal.staging)
  await removeJournal(place.journal)
  return beside
}

/** The directories above a deleted file that are empty now and that the copy does not have either. */
function removeEmptied(place: CopyPlace, project: string, file: string): void {
  for (let each = path.dirname(file); each !== '.'; each = path.dirname(each)) {
    if (standsAt(path.join(place.tree, each)) !== null) return
    try {
      atName(project, each, rmdirSync)
    } catch (error) {
      // It is not empty, gone, or not the user's to remove: a directory too many harms nobody.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      return
    }
  }
}
