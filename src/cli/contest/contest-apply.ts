import { existsSync } from 'node:fs'
import path from 'node:path'
import { applySubmission, type SubmissionApplied, type SubmissionWish } from '../../contest/project/apply.ts'
import { undoApply } from '../../contest/project/undo.ts'
import { recoveredLines } from '../../copy/open.ts'
import type { Change } from '../../copy/reviewing/change.ts'
import { shownPath } from '../../credentials/scan/finding.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import { printable } from '../../text.ts'
import { appliedLines } from '../copy/apply-lines.ts'
import { cliCopyHost } from '../copy/copy-host.ts'
import { secretWords } from '../copy/secret-lines.ts'
import { printJson, say } from '../terminal/output.ts'

interface ContestApplyOptions {
  readonly path: readonly string[]
  readonly project?: string
  readonly branch?: string
  readonly patch?: string
  readonly undo?: boolean
  readonly dryRun?: boolean
  readonly commit?: boolean
  readonly message?: string
  readonly hooks?: boolean
  readonly runLater?: boolean
  readonly allowSecrets?: boolean
  readonly json?: boolean
}

/** `paddock contest apply`: takes what a participant changed in the project that its contest was made from. */
export async function contestApply(first: string, second: string | undefined, options: ContestApplyOptions): Promise<number> {
  // In the directory of a contest, the participant is enough.
  const isName = second === undefined && options.undo !== true && !isContest(first) && isContest('.')
  const [directory, participant] = isName ? ['.', first] : [first, second]
  const to = wayOf(options)
  const project = options.project === undefined ? null : path.resolve(options.project)
  if (options.undo === true) {
    if (participant !== undefined || to.kind !== 'files' || to.commit !== null || options.path.length > 0)
      throw new PaddockError('BAD_INPUT', '--undo takes back the last apply of a contest as a whole, and nothing else.', {
        hint: 'paddock contest apply --undo DIRECTORY',
      })
    return await undo(directory, project, options)
  }
  if (participant === undefined)
    throw new PaddockError('BAD_INPUT', 'No participant is given.', { hint: 'paddock contest apply DIRECTORY PARTICIPANT' })
  const done = await applySubmission(
    directory,
    {
      participant,
      project,
      paths: options.path,
      runLater: options.runLater === true,
      allowSecrets: options.allowSecrets === true,
      to,
      describe: (file, findings) => `${shownPath(file)} (${secretWords(findings)})`,
      onRecovered: (recovered) => {
        for (const each of recoveredLines('this project', recovered)) say(each)
      },
    },
    cliCopyHost({ quiet: options.json === true }),
  )
  if (done.problem !== null) say(done.problem)
  if (options.json === true) printJson(asJson(done, to))
  else show(done, to, directory)
  return done.committed === false ? exitCodes.no : exitCodes.done
}

function isContest(directory: string): boolean {
  return existsSync(path.join(directory, 'contest.yaml'))
}

function wayOf({ branch, patch, dryRun, commit, message, hooks }: ContestApplyOptions): SubmissionWish['to'] {
  const given = [
    ...(branch === undefined ? [] : ['--branch']),
    ...(patch === undefined ? [] : ['--patch']),
    ...(commit === true ? ['--commit'] : []),
    ...(dryRun === true ? ['--dry-run'] : []),
  ]
  if (given.length > 1) throw new PaddockError('BAD_INPUT', `${given.join(' and ')} cannot be combined.`, { hint: 'Leave all but one out' })
  if (commit !== true && (message !== undefined || hooks === true))
    throw new PaddockError('BAD_INPUT', `${message === undefined ? '--hooks' : '-m'} requires --commit.`, { hint: 'Add --commit' })
  if (branch !== undefined) return { kind: 'branch', name: branch }
  if (patch !== undefined) return { kind: 'patch', file: patch }
  if (dryRun === true) return { kind: 'look' }
  return { kind: 'files', commit: commit === true ? { message, hooks: hooks === true } : null }
}

function show(
  { applied, changes, moved, left, scan, project, work, commit, copy, committed }: SubmissionApplied,
  to: SubmissionWish['to'],
  directory: string,
): void {
  const out = (line: string): boolean => process.stdout.write(`${printable(line)}\n`)
  if (applied !== null) for (const line of appliedLines(applied)) out(line)
  else for (const each of changes) out(lineOf(each, moved.includes(each.path)))
  const whose = `the work of ${work.participant} in round ${work.round}`
  if (changes.length === 0) say(`${whose} changes nothing in ${project}`)
  if (to.kind === 'branch') say(`${whose} is commit ${commit?.slice(0, 12)} on branch ${to.name} of ${project}`)
  if (to.kind === 'patch') say(`${whose} is in ${to.file}; apply it with: git apply ${to.file}`)
  if (to.kind === 'look' && changes.length > 0) say(`nothing was applied; read the changes with: paddock review ${copy}`)
  if (committed === false) say('the files are in the project, and git did not commit them')
  if (applied !== null && changes.length > 0) say(`take it back with: paddock contest apply ${shellWord(directory)} --undo`)
  if (left > 0) say(`${left} other change${left === 1 ? ' was' : 's were'} not chosen`)
  if (scan.ignoredCount > 0)
    say(
      `${scan.ignoredCount} new file${scan.ignoredCount === 1 ? '' : 's'} that git ignores ${scan.ignoredCount === 1 ? 'was' : 'were'} left out`,
    )
  for (const each of scan.leftOut.slice(0, 5)) say(`left out: ${each.path} (${each.why})`)
}

function lineOf({ kind, path: file, runsLater }: Change, isMoved: boolean): string {
  const parts = [`${kind.padEnd(8)} ${file}`]
  if (runsLater !== null) parts.push(`RUNS LATER: ${runsLater}`)
  if (isMoved) parts.push('BASE MOVED: the project has something else by now, so it cannot be applied')
  return parts.join(' · ')
}

function asJson(
  { applied, changes, moved, left, scan, project, work, commit, copy, committed }: SubmissionApplied,
  to: SubmissionWish['to'],
): unknown {
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

async function undo(directory: string, project: string | null, options: Pick<ContestApplyOptions, 'json' | 'runLater'>): Promise<number> {
  const undone = await undoApply(directory, project, cliCopyHost({ quiet: options.json === true }), { foreign: options.runLater === true })
  if (options.json === true) printJson({ schemaVersion: 1, ...undone, ...undone.applied, applied: undefined })
  else {
    for (const line of appliedLines(undone.applied)) process.stdout.write(`${printable(line)}\n`)
    say(`${undone.project} is as it was before the work of ${undone.participant} in round ${undone.round} was applied`)
  }
  return exitCodes.done
}
