import { removeCopy, type UnreadableCopy } from './all-copies.ts'
import { readJournal } from './applying/apply-journal.ts'
import type { CopyHost } from './copy-host.ts'
import { type Copy, lockProject, refuseWhileRunning } from './hold-copy.ts'
import { type RecoveredCopy, recoverCopy } from './open-copy.ts'

/** A copy that was deleted. */
export interface Discarded {
  readonly id: string
  /** The project of the copy; null if it is no longer known. */
  readonly project: string | null
  /** The interrupted apply that was completed or undone first; null: there was none. */
  readonly recovered: RecoveredCopy | null
}

/** Deletes a copy that the caller holds, with all of the agent's work in it. Throws `BUSY`. */
export async function discardHeld(copy: Copy, host: CopyHost): Promise<Discarded> {
  const { record, place } = copy
  await refuseWhileRunning([place.tree], host.paths)
  const recovered = await recoverCopy(copy, host)
  // Logged first, because a deleted copy missing from the log would be worse than a logged copy that still exists.
  host.note('copy.discarded', { copy: record.id, project: record.project })
  await removeCopy(place)
  return { id: record.id, project: record.project, recovered }
}

/** Deletes a copy whose record cannot be read. First ends an apply of the copy that is in progress. Throws `BUSY`. */
export async function discardUnreadable({ place }: UnreadableCopy, host: CopyHost, command: string): Promise<Discarded> {
  const project = (await readJournal(place.journal))?.project ?? null
  using _lock = project === null ? null : await lockProject(project, host.paths, command)
  await refuseWhileRunning([place.tree], host.paths)
  const recovered = await recoverCopy({ place, record: null }, host)
  host.note('copy.discarded', { copy: place.id, project })
  await removeCopy(place)
  return { id: place.id, project, recovered }
}
