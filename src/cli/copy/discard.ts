import { removeCopy } from '../../copy/all-copies.ts'
import { readJournal } from '../../copy/applying/journal.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { type Paths, resolvePaths } from '../../paths.ts'
import { noteEvent } from '../audit/note-event.ts'
import { printJson, say } from '../terminal/output.ts'
import { chooseUnreadable, holdCopy, lockProject, recoverCopy, recoveredLines, refuseWhileRunning } from './copies.ts'

/** `paddock discard`: deletes a copy, and with it all that an agent did. */
export async function discardCommand(words: readonly string[], options: { readonly json?: boolean }): Promise<number> {
  const paths = resolvePaths(process.env)
  const { id, project } = (await discardUnreadable(words, paths)) ?? (await discardCopy(words, paths))
  if (options.json === true) printJson({ schemaVersion: 1, id, project })
  else say(`copy ${id}${project === null ? '' : ` of ${project}`} is deleted`)
  return exitCodes.done
}

interface Discarded {
  readonly id: string
  /** Null: nobody can tell any more. */
  readonly project: string | null
}

async function discardCopy(words: readonly string[], paths: Paths): Promise<Discarded> {
  using copy = await holdCopy(words, paths, 'paddock discard')
  const { record, place } = copy
  refuseMore(copy.words)
  await refuseWhileRunning([place.tree], paths)
  for (const each of recoveredLines(record.id, await recoverCopy(copy, paths))) say(each)
  // First: a copy that is gone without a word in the log would be worse than one that is in it and still there.
  noteEvent(paths, 'copy.discarded', { copy: record.id, project: record.project })
  await removeCopy(place)
  return { id: record.id, project: record.project }
}

/** One whose record cannot be read. What an apply of it has begun in a project is brought to its end first. */
async function discardUnreadable(words: readonly string[], paths: Paths): Promise<Discarded | null> {
  const found = await chooseUnreadable(words, paths)
  if (found === null) return null
  refuseMore(words.slice(1))
  const { place } = found
  const project = (await readJournal(place.journal))?.project ?? null
  using _lock = project === null ? null : await lockProject(project, paths, 'paddock discard')
  await refuseWhileRunning([place.tree], paths)
  for (const each of recoveredLines(place.id, await recoverCopy({ place, record: null }, paths))) say(each)
  noteEvent(paths, 'copy.discarded', { copy: place.id, project })
  await removeCopy(place)
  return { id: place.id, project }
}

function refuseMore(words: readonly string[]): void {
  if (words.length > 0)
    throw new PaddockError('NOT_FOUND', `There is no copy ${words[0]}.`, { hint: 'paddock review --list shows the copies.' })
}
