import { existsSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { syncTree } from '../../files/sync-tree.ts'
import { type CopyPlace, changeBase } from '../copy-record.ts'
import { type Journal, readJournal, removeJournal } from './apply-journal.ts'
import { atName } from './at-name.ts'
import { standsAt } from './plan-apply.ts'
import { type Beside, putBack } from './put-back.ts'

/** The outcome of an interrupted apply. */
export interface Recovered {
  readonly how: 'finished' | 'undone'
  /** Old versions that were placed next to files that were written in the meantime. */
  readonly beside: readonly Beside[]
  /** The journal, if work remains before it can be removed; null: no work remains. */
  readonly journal: Journal | null
}

/**
 * Ends an interrupted apply: finishes it if all files were in place already, or else undoes it.
 * Idempotent. Returns null if no apply was in progress. @throws PaddockError `FILES_FAILED` if not everything can be restored
 */
export async function recover(place: CopyPlace): Promise<Recovered | null> {
  const journal = await readJournal(place.journal)
  if (journal === null) return null
  if (journal.phase !== 'done') return { how: 'undone', beside: await undo(place, journal), journal: null }
  await finish(place, journal)
  return { how: 'finished', beside: [], journal: journal.after === null ? null : journal }
}

/**
 * Ends an apply when all files are in place. From then on the current project is the base of the copy. The journal is kept while it lists
 * remaining work.
 */
export async function finish(place: CopyPlace, journal: Journal): Promise<void> {
  await changeBase(place, journal.base)
  for (const each of journal.steps) if (each.action === 'delete') removeEmptied(place, journal.project, each.path)
  await removeTree(journal.staging)
  if (journal.after === null) await removeJournal(place.journal)
}

/**
 * Restores everything. Files that were written since then are left alone, with the old version next to them. If something cannot be
 * restored, all old versions and the journal are kept for another attempt.
 * @throws PaddockError `FILES_FAILED` with the paths that differ and the paths of their old versions
 */
export async function undo(place: CopyPlace, journal: Journal): Promise<readonly Beside[]> {
  // Without the staging directory there is nothing to restore: an undo deleted it at its end, or the user did.
  const { beside, failed } =
    journal.phase === 'committing' && existsSync(journal.staging) ? putBack(journal, place.id) : { beside: [], failed: [] }
  if (failed.length > 0) {
    const shown = failed.slice(0, 5).map((each) => `${each.path} (${each.why}; its old version is ${each.old})`)
    if (failed.length > 5) shown.push(`${failed.length - 5} more`)
    throw new PaddockError('FILES_FAILED', `An apply was interrupted, and not everything could be restored: ${shown.join(', ')}.`, {
      hint: `Fix that and run paddock review ${place.id}, which tries again, or take the old versions by hand and delete ${journal.staging}`,
    })
  }
  if (journal.phase === 'committing') await syncTree(journal.project)
  await removeTree(journal.staging)
  await removeJournal(place.journal)
  return beside
}

/** Removes directories above a deleted file that are now empty and that the copy does not have either. */
function removeEmptied(place: CopyPlace, project: string, file: string): void {
  for (let each = path.dirname(file); each !== '.'; each = path.dirname(each)) {
    if (standsAt(path.join(place.tree, each)) !== null) return
    try {
      atName(project, each, rmdirSync)
    } catch (error) {
      // The directory is not empty or is gone, or the user may not remove it. An extra directory does no harm.
      if (codeOf(error) === undefined) throw error
      return
    }
  }
}
