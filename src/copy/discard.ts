import { removeCopy, type UnreadableCopy } from './all-copies.ts'
import { readJournal } from './applying/journal.ts'
import type { CopyHost } from './copy-host.ts'
import { type Copy, lockProject, refuseWhileRunning } from './hold.ts'
import { type RecoveredCopy, recoverCopy } from './open.ts'

/** A copy that was deleted. */
export interface Discarded {
  readonly id: string
  /** Null: nobody can tell any more. */
  readonly project: string | null
  /** An interrupted apply that was brought to its end first; null: there was none. */
  readonly recovered: RecoveredCopy | null
}

/** Deletes a copy that is held by the caller, and with it all that an agent did. Throws `BUSY`. */
export async function discardHeld(copy: Copy, host: CopyHost): Promise<Discarded> {
  const { record, place } = copy
  await refuseWhileRunning([place.tree], host.paths)
  const recovered = await recoverCopy(copy, host)
  // First: a copy that is gone and not in the log would be worse than one that is in it and still there.
  host.note('copy.discarded', { copy: record.id, project: record.project })
  await removeCopy(place)
  return { id: record.id, project: record.project, recovered }
}

/** Deletes a copy whose record cannot be read. An apply of it that has begun in a project is finished first. Throws `BUSY`. */
export async function discardUnreadable({ place }: UnreadableCopy, host: CopyHost, command: string): Promise<Discarded> {
  const project = (await readJournal(place.journal))?.project ?? null
  using _lock = project === null ? null : await lockProject(project, host.paths, command)
  await refuseWhileRunning([place.tree], host.paths)
  const recovered = await recoverCopy({ place, record: null }, host)
  host.note('copy.discarded', { copy: place.id, project })
  await removeCopy(place)
  return { id: place.id, project, recovered }
}
