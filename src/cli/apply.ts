import { applyChanges, movedPaths } from '../copy/apply.ts'
import type { Change } from '../copy/change.ts'
import type { CopyPlace, CopyRecord } from '../copy/record.ts'
import { secretsIn } from '../copy/secrets.ts'
import { recover } from '../copy/undo.ts'
import { shownPath } from '../credentials/scan/finding.ts'
import { exitCodes, PaddockError } from '../errors.ts'
import { removeTree } from '../files/remove-tree.ts'
import { resolvePaths } from '../paths.ts'
import { commitPaths, refuseOwnPrograms } from './commit.ts'
import { type Copy, chooseCopy, gitUserOf, lockProject, openCopy, refuseWhileRunning, selectChanges } from './copies.ts'
import { credentialsHere, secretWords } from './copy-secrets.ts'
import { noteEvent } from './note-event.ts'
import { printJson, say } from './output.ts'
import { printable } from './printable.ts'

export interface ApplyOptions {
  readonly commit?: boolean
  readonly message?: string
  readonly hooks?: boolean
  readonly keep?: boolean
  readonly runLater?: boolean
  readonly allowSecrets?: boolean
  readonly json?: boolean
}

/** Of the paths that were applied, in the audit log. */
const pathsNoted = 200

/** `paddock apply`: takes what an agent made of a copy over into the project. */
export async function applyCommand(words: readonly string[], options: ApplyOptions): Promise<number> {
  if (options.message !== undefined && options.commit !== true)
    throw new PaddockError('BAD_INPUT', '-m means nothing without --commit.', { hint: 'paddock apply --commit -m MESSAGE' })
  if (options.hooks === true && options.commit !== true)
    throw new PaddockError('BAD_INPUT', '--hooks means nothing without --commit.', { hint: 'paddock apply --commit --hooks' })
  const { env } = process
  const paths = resolvePaths(env)
  const copy = await chooseCopy(words, paths)
  const { record, place } = copy
  await using _lock = await lockProject(record.project, paths)
  await refuseWhileRunning([place.tree, record.project], paths)
  if (options.commit === true && record.head === undefined)
    throw new PaddockError('BAD_INPUT', `${record.project} is no git repository, so nothing can be committed.`, { hint: 'paddock apply' })
  const { scan, base, recovered } = await openCopy(copy, { paths, env })
  if (recovered !== null) say(`an apply of ${record.id} that was interrupted has been ${recovered}`)
  const { changes, named } = selectChanges(scan.changes, copy.words, record.project)
  refuseRunsLater(changes, named, options, record)
  if (options.allowSecrets !== true) await refuseSecrets(changes, copy, env, paths.userHome)
  const wish = { message: options.message, hooks: options.hooks === true, user: gitUserOf(paths, env) }
  if (options.commit === true)
    refuseOwnPrograms(
      record,
      changes.map((each) => each.path),
      wish,
    )
  const applied = await applyChanges(place, record.project, changes, base)
  const paths_ = [...applied.written, ...applied.deleted, ...applied.same].sort()
  const committed = options.commit === true ? commitPaths(record, paths_, wish) : null
  noteEvent(paths, 'copy.applied', {
    copy: record.id,
    project: record.project,
    written: applied.written.length,
    deleted: applied.deleted.length,
    paths: paths_.slice(0, pathsNoted),
    committed,
    ...(options.runLater === true ? { runLater: true } : {}),
    ...(options.allowSecrets === true ? { allowSecrets: true } : {}),
  })
  const left = scan.changes.length - changes.length
  const isKept = options.keep === true || left > 0 || committed === false
  if (!isKept) await removeTree(place.directory)
  if (options.json === true)
    printJson({ schemaVersion: 1, id: record.id, project: record.project, ...applied, committed, left, kept: isKept })
  else tell(applied, committed, left, isKept, place)
  return committed === false ? exitCodes.no : exitCodes.done
}

/** `paddock discard`: deletes a copy, and with it all that an agent did. */
export async function discardCommand(words: readonly string[], options: { readonly json?: boolean }): Promise<number> {
  const paths = resolvePaths(process.env)
  const { record, place, words: rest } = await chooseCopy(words, paths)
  if (rest.length > 0)
    throw new PaddockError('BAD_INPUT', `There is no copy ${rest[0]}.`, { hint: 'paddock review --list shows the copies.' })
  await using _lock = await lockProject(record.project, paths)
  await refuseWhileRunning([place.tree], paths)
  await recover(place)
  await removeTree(place.directory)
  noteEvent(paths, 'copy.discarded', { copy: record.id, project: record.project })
  if (options.json === true) printJson({ schemaVersion: 1, id: record.id, project: record.project })
  else say(`copy ${record.id} of ${record.project} is deleted`)
  return exitCodes.done
}

/** What runs later is taken by its very path or with --run-later, never by the way. */
function refuseRunsLater(changes: readonly Change[], named: ReadonlySet<string>, options: ApplyOptions, record: CopyRecord): void {
  const later = options.runLater === true ? [] : changes.filter((each) => each.runsLater !== null && !named.has(each.path))
  if (later.length === 0) return
  const shown = later.slice(0, 10).map((each) => `${each.path} (${each.runsLater})`)
  if (later.length > 10) shown.push(`${later.length - 10} more`)
  throw new PaddockError(
    'NOT_ALLOWED',
    `Nothing was applied, because these will run or be obeyed on your machine later: ${shown.join(', ')}.`,
    {
      hint: `Look at them with paddock review ${record.id}, then name each, or take all with --run-later.`,
    },
  )
}

/** A secret that comes into a project is published with it sooner or later. */
async function refuseSecrets(changes: readonly Change[], { place, record }: Copy, env: NodeJS.ProcessEnv, userHome: string): Promise<void> {
  const { findings } = await secretsIn(changes, place, record, credentialsHere(env, userHome), new Set(movedPaths(record.project, changes)))
  if (findings.size === 0) return
  const shown = [...findings].slice(0, 10).map(([file, all]) => `${shownPath(file)} (${secretWords(all)})`)
  if (findings.size > 10) shown.push(`${findings.size - 10} more`)
  throw new PaddockError('NOT_ALLOWED', `Nothing was applied, because these hold what looks like a secret: ${shown.join(', ')}.`, {
    hint: `Take the others by name, mend these in ${place.tree}, or take them as they are with --allow-secrets.`,
  })
}

function tell(
  applied: { readonly written: readonly string[]; readonly deleted: readonly string[]; readonly same: readonly string[] },
  committed: boolean | null,
  left: number,
  isKept: boolean,
  place: CopyPlace,
): void {
  for (const each of applied.written) process.stdout.write(`${printable(`wrote    ${each}`)}\n`)
  for (const each of applied.deleted) process.stdout.write(`${printable(`deleted  ${each}`)}\n`)
  for (const each of applied.same) process.stdout.write(`${printable(`same     ${each}`)}\n`)
  if (applied.written.length + applied.deleted.length + applied.same.length === 0) say('there was nothing to apply')
  if (committed === false) say('the files are in the project, and git did not commit them')
  if (left > 0) say(`${left} other change${left === 1 ? ' is' : 's are'} left in copy ${place.id}`)
  else
    say(
      isKept
        ? `copy ${place.id} is kept; delete it with: paddock discard ${place.id}`
        : `copy ${place.id} is deleted, all of it is in the project`,
    )
}
