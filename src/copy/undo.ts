import { existsSync, linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../files/in-directory.ts'
import { removeTree } from '../files/remove-tree.ts'
import { type Journal, readJournal, removeJournal, type Step } from './journal.ts'
import { type CopyPlace, readManifest, writeManifest } from './record.ts'

/**
 * Brings an apply that was interrupted to an end: finishes it where every file was in its place already, else undoes it.
 * Idempotent. Returns what it did; null: none was under way.
 */
export async function recover(place: CopyPlace): Promise<'finished' | 'undone' | null> {
  const journal = await readJournal(place.journal)
  if (journal === null) return null
  if (journal.phase === 'done') await finish(place, journal)
  else await undo(place, journal)
  return journal.phase === 'done' ? 'finished' : 'undone'
}

/** After every file is in its place: the copy is taken to be made of what the project now has. */
export async function finish(place: CopyPlace, journal: Journal): Promise<void> {
  if (journal.base !== null) await writeManifest(place, { ...(await readManifest(place)), entries: journal.base })
  for (const each of journal.steps) if (each.action === 'delete') removeEmptied(place, journal.project, each.path)
  await removeTree(journal.staging)
  await removeJournal(place.journal)
}

export async function undo(place: CopyPlace, journal: Journal): Promise<void> {
  if (journal.phase === 'committing') {
    for (const each of journal.steps.toReversed()) if (each.action === 'write') undoWrite(journal, each)
    for (const each of journal.directories.toReversed()) quietly(() => inDirectory(path.join(journal.project, each), rmdirSync))
    for (const each of journal.steps) if (each.action === 'delete') undoDelete(journal, each)
  }
  await removeTree(journal.staging)
  await removeJournal(place.journal)
}

/** Only where the new file stands: what somebody put there since is let be. */
function undoWrite(journal: Journal, step: Step): void {
  const old = path.join(journal.staging, `${step.slot}.old`)
  quietly(() =>
    inDirectory(path.join(journal.project, step.path), (safe) => {
      if (lstatSync(safe, { throwIfNoEntry: false })?.ino !== step.ino) return
      if (lstatSync(old, { throwIfNoEntry: false }) === undefined) unlinkSync(safe)
      else renameSync(old, safe)
    }),
  )
}

function undoDelete(journal: Journal, step: Step): void {
  const file = path.join(journal.project, step.path)
  const old = path.join(journal.staging, `${step.slot}.old`)
  quietly(() => mkdirSync(path.dirname(file), { recursive: true }))
  quietly(() => {
    inDirectory(file, (safe) => {
      if (lstatSync(safe, { throwIfNoEntry: false }) === undefined) linkSync(old, safe)
    })
  })
}

/** The directories above a deleted file that are empty now and that the copy does not have either. */
function removeEmptied(place: CopyPlace, project: string, file: string): void {
  for (let each = path.dirname(file); each !== '.'; each = path.dirname(each)) {
    if (existsSync(path.join(place.tree, each))) return
    quietly(() => inDirectory(path.join(project, each), rmdirSync))
  }
}

/** What cannot be undone because somebody changed it since stays as they made it. */
function quietly(act: () => void): void {
  try {
    act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}
