import { removeCopy } from '../../copy/all-copies.ts'
import { type Applied, applyChanges, movedPaths } from '../../copy/applying/apply.ts'
import { refuseOwnPrograms } from '../../copy/applying/commit.ts'
import type { After } from '../../copy/applying/journal.ts'
import type { Manifest } from '../../copy/manifest.ts'
import type { CopyRecord } from '../../copy/record.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import { secretsIn } from '../../copy/reviewing/secrets.ts'
import { shownPath } from '../../credentials/scan/finding.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { progressLine } from '../terminal/progress-line.ts'
import { appliedLines, endLines } from './apply-lines.ts'
import { completeApply } from './complete-apply.ts'
import { type Copy, gitUserOf, holdCopy, openCopy, recoveredLines, refuseWhileRunning, selectChanges } from './copies.ts'
import { credentialsHere, secretWords } from './copy-secrets.ts'

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
  using copy = await holdCopy(words, paths, 'paddock apply')
  const { record, place } = copy
  await refuseWhileRunning([place.tree, record.project], paths)
  if (options.commit === true && record.head === undefined)
    throw new PaddockError('BAD_INPUT', `${record.project} is no git repository, so nothing can be committed.`, { hint: 'paddock apply' })
  // What was recovered may have left word in the record.
  const { scan, base, recovered, record: now } = await openCopy(copy, { paths, env })
  for (const each of recoveredLines(record.id, recovered)) say(each)
  const { changes, named } = selectChanges(scan.changes, copy.words, record.project)
  refuseRunsLater(changes, named, options, record)
  if (options.allowSecrets !== true) await refuseSecrets(changes, base, copy, env, paths.userHome)
  const wish = { message: options.message, hooks: options.hooks === true, user: gitUserOf(paths, env), env }
  if (options.commit === true)
    refuseOwnPrograms(
      record,
      changes.map((each) => each.path),
      wish,
    )
  const after = (done: Applied): After => {
    const all = [...done.written, ...done.deleted, ...done.same].sort()
    return {
      event: {
        copy: record.id,
        project: record.project,
        written: done.written.length,
        deleted: done.deleted.length,
        paths: all.slice(0, pathsNoted),
        ...(options.runLater === true ? { runLater: true } : {}),
        ...(options.allowSecrets === true ? { allowSecrets: true } : {}),
      },
      // With what an earlier apply was to commit and git did not.
      commit:
        options.commit === true
          ? { paths: [...new Set([...all, ...(now.uncommitted ?? [])])], message: options.message ?? null, hooks: wish.hooks }
          : null,
      committed: null,
    }
  }
  const counted = async (): ReturnType<typeof applyChanges> => {
    using progress = progressLine('applying the changes', 'steps')
    return await applyChanges(place, record.project, changes, base, progress.step, after)
  }
  const { journal, ...applied } = await counted()
  const committed = await completeApply(place, now, journal, paths, false)
  const left = scan.changes.length - changes.length
  // What was left out is nowhere else.
  const isKept = options.keep === true || left > 0 || committed === false || scan.leftOutCount + scan.ignoredCount > 0
  if (!isKept) await removeCopy(place)
  const notTaken = { leftOut: scan.leftOutCount, ignored: scan.ignoredCount }
  if (options.json === true)
    printJson({ schemaVersion: 1, id: record.id, project: record.project, ...applied, committed, left, ...notTaken, kept: isKept })
  else {
    for (const each of appliedLines(applied)) process.stdout.write(`${printable(each)}\n`)
    for (const each of endLines({ applied, committed, left, scan, isKept, id: record.id })) say(each)
  }
  return committed === false ? exitCodes.no : exitCodes.done
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
async function refuseSecrets(
  changes: readonly Change[],
  base: Manifest,
  { place, record }: Copy,
  env: NodeJS.ProcessEnv,
  userHome: string,
): Promise<void> {
  const { findings } = await secretsIn(
    changes,
    place,
    record,
    credentialsHere(env, userHome),
    new Set(movedPaths(record.project, changes, base)),
  )
  if (findings.size === 0) return
  const shown = [...findings].slice(0, 10).map(([file, all]) => `${shownPath(file)} (${secretWords(all)})`)
  if (findings.size > 10) shown.push(`${findings.size - 10} more`)
  throw new PaddockError('NOT_ALLOWED', `Nothing was applied, because these hold what looks like a secret: ${shown.join(', ')}.`, {
    hint: `Take the others by name, mend these in ${place.tree}, or take them as they are with --allow-secrets.`,
  })
}
