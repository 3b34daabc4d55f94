import { commitPaths, refuseOwnPrograms } from '../../copy/applying/commit.ts'
import { type Journal, removeJournal, writeJournal } from '../../copy/applying/journal.ts'
import { type CopyPlace, type CopyRecord, writeRecord } from '../../copy/record.ts'
import { messageOf } from '../../errors.ts'
import { gitUser } from '../../git/settings.ts'
import type { Paths } from '../../paths.ts'
import { noteEvent } from '../audit/note-event.ts'
import { say } from '../terminal/output.ts'

/**
 * What comes after the names are in their places: the commit that was wished, the word in the audit log, the end of the
 * journal. Whoever finds the journal after a crash does the same, so that neither is lost. `record`: null where it cannot
 * be read; nothing is committed then. Under the lock. Returns what git said; null: nothing was to be committed.
 */
export async function completeApply(
  place: CopyPlace,
  record: CopyRecord | null,
  journal: Journal,
  paths: Paths,
  isRecovered: boolean,
): Promise<boolean | null> {
  const { after } = journal
  if (after === null) return null
  const committed = after.committed ?? (record === null ? null : commit(record, after, paths, isRecovered))
  if (record !== null && after.commit !== null && committed !== null) await remember(place, record, after.commit.paths, committed)
  if (after.committed === null && committed !== null) await writeJournal(place.journal, { ...journal, after: { ...after, committed } })
  noteEvent(paths, 'copy.applied', { ...after.event, committed, ...(isRecovered ? { recovered: true } : {}) })
  await removeJournal(place.journal)
  return committed
}

function commit(record: CopyRecord, { commit: wished }: NonNullable<Journal['after']>, paths: Paths, isRecovered: boolean): boolean | null {
  if (wished === null) return null
  const wish = {
    message: wished.message ?? undefined,
    hooks: wished.hooks,
    user: gitUser({ home: paths.userHome, name: paths.userName }, process.env),
    env: process.env,
  }
  try {
    // The configuration of git may be another by now.
    if (isRecovered) refuseOwnPrograms(record, wished.paths, wish)
    return commitPaths(record, wished.paths, wish)
  } catch (error) {
    say(messageOf(error))
    return false
  }
}

/** For the next apply --commit. */
async function remember(place: CopyPlace, record: CopyRecord, files: readonly string[], committed: boolean): Promise<void> {
  if (committed && record.uncommitted === undefined) return
  const { uncommitted: _, ...rest } = record
  await writeRecord(place, committed ? rest : { ...rest, uncommitted: [...files] })
}
