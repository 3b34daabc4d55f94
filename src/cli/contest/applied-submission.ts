import { shellWord } from '../../base/shell-word.ts'
import type { SubmissionApplied, SubmissionWish } from '../../contest/project/apply-winner.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import { appliedLines } from '../copy/apply-lines.ts'
import type { Result } from '../results.ts'

/** Returns the result of `paddock contest apply` as data. */
export function appliedData(
  { applied, changes, moved, left, scan, project, work, commit, copy, committed }: SubmissionApplied,
  to: SubmissionWish['to'],
): Result<'contest apply'> {
  return {
    schemaVersion: 1,
    project,
    ...work,
    to: to.kind,
    changes: changes.map(({ path: file, kind, runsLater }) => ({ path: file, kind, runsLater, baseMoved: moved.includes(file) })),
    written: applied?.written ?? [],
    deleted: applied?.deleted ?? [],
    same: applied?.same ?? [],
    committed,
    commit,
    left,
    leftOut: scan.leftOutCount,
    ignored: scan.ignoredCount,
    copy,
  }
}

/** Returns the result of `paddock contest apply` as text. */
export function appliedText(
  done: SubmissionApplied,
  to: SubmissionWish['to'],
  directory: string,
): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  const { applied, changes, moved } = done
  const lines = applied !== null ? appliedLines(applied) : changes.map((each) => lineOf(each, moved.includes(each.path)))
  return { lines, notes: [...notesOf(done, to, directory)] }
}

function* notesOf(
  { applied, changes, left, scan, project, work, commit, copy, committed }: SubmissionApplied,
  to: SubmissionWish['to'],
  directory: string,
): Generator<string> {
  const whose = `the work of ${work.participant} in round ${work.round}`
  if (changes.length === 0) yield `${whose} changes nothing in ${project}`
  if (to.kind === 'branch') yield `${whose} is commit ${commit?.slice(0, 12)} on branch ${to.name} of ${project}`
  if (to.kind === 'patch') yield `${whose} is in ${to.file}; apply it with: git apply ${to.file}`
  if (to.kind === 'look' && changes.length > 0) yield `nothing was applied; read the changes with: paddock review ${copy}`
  if (committed === false) yield 'the files are in the project, and git did not commit them'
  if (applied !== null && changes.length > 0) yield `to undo it: paddock contest apply ${shellWord(directory)} --undo`
  if (left > 0) yield `${left} other change${left === 1 ? ' was' : 's were'} not chosen`
  const ignored = scan.ignoredCount
  if (ignored > 0) yield `${ignored} new file${ignored === 1 ? '' : 's'} that git ignores ${ignored === 1 ? 'was' : 'were'} left out`
  for (const each of scan.leftOut.slice(0, 5)) yield `left out: ${each.path} (${each.why})`
}

function lineOf({ kind, path: file, runsLater }: Change, isMoved: boolean): string {
  const parts = [`${kind.padEnd(8)} ${file}`]
  if (runsLater !== null) parts.push(`RUNS LATER: ${runsLater}`)
  if (isMoved) parts.push('BASE MOVED: the project has changed here since, so it cannot be applied')
  return parts.join(' · ')
}
