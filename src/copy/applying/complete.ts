import { messageOf } from '../../base/errors.ts'
import { checkedOut } from '../../cell/plan/git-facts.ts'
import { type CopyHost, gitUserOf } from '../copy-host.ts'
import { type CopyPlace, type CopyRecord, writeRecord } from '../copy-record.ts'
import { type Journal, removeJournal, writeJournal } from './apply-journal.ts'
import { commitPaths, refuseOwnPrograms } from './commit.ts'

/**
 * The result of completing an apply. `committed`: true if git committed the applied changes; null: no commit was requested. `problem`: the
 * reason why git did not commit; null: git itself reported it, or there is no problem.
 */
export interface Completed {
  readonly committed: boolean | null
  readonly problem: string | null
}

/**
 * Finishes an apply once all files are in place: makes the requested commit, writes the event to the audit log, and removes the
 * journal. A process that finds the journal after a crash does the same, so neither is lost. `record`: null if it cannot be read, and then
 * nothing is committed. The caller must hold the lock.
 */
export async function completeApply(
  place: CopyPlace,
  record: CopyRecord | null,
  journal: Journal,
  host: CopyHost,
  isRecovered: boolean,
): Promise<Completed> {
  const { after } = journal
  if (after === null) return { committed: null, problem: null }
  const done: Completed =
    after.committed !== null || record === null ? { committed: after.committed, problem: null } : commit(record, after, host, isRecovered)
  const { committed } = done
  if (record !== null && after.commit !== null && committed !== null) await remember(place, record, after.commit.paths, committed)
  if (after.committed === null && committed !== null) await writeJournal(place.journal, { ...journal, after: { ...after, committed } })
  const made = after.committed === null && committed === true && record !== null ? { commit: checkedOut(record.project) } : {}
  host.note('copy.applied', { ...after.event, committed, ...(isRecovered ? { recovered: true } : {}), ...made })
  await removeJournal(place.journal)
  return done
}

function commit(record: CopyRecord, { commit: wished }: NonNullable<Journal['after']>, host: CopyHost, isRecovered: boolean): Completed {
  if (wished === null) return { committed: null, problem: null }
  const wish = { message: wished.message ?? undefined, hooks: wished.hooks, user: gitUserOf(host), env: host.env }
  try {
    // Git's configuration may have changed since the check before the apply.
    if (isRecovered) refuseOwnPrograms(record, wished.paths, wish)
    return { committed: commitPaths(record, wished.paths, wish), problem: null }
  } catch (error) {
    return { committed: false, problem: messageOf(error) }
  }
}

/** Records uncommitted paths for the next apply --commit. */
async function remember(place: CopyPlace, record: CopyRecord, files: readonly string[], committed: boolean): Promise<void> {
  if (committed && record.uncommitted === undefined) return
  const { uncommitted: _, ...rest } = record
  await writeRecord(place, committed ? rest : { ...rest, uncommitted: [...files] })
}
