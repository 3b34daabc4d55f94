import { existsSync } from 'node:fs'
import path from 'node:path'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { applySubmission, type SubmissionWish } from '../../contest/project/apply-winner.ts'
import { undoApply } from '../../contest/project/undo-winner.ts'
import { recoveredLines } from '../../copy/open-copy.ts'
import { shownPath } from '../../credentials/scan/secret-finding.ts'
import { appliedLines } from '../copy/apply-lines.ts'
import { cliCopyHost } from '../copy/command-copy-host.ts'
import { secretWords } from '../copy/secret-lines.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'
import { appliedData, appliedText } from './applied-submission.ts'

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

/** `paddock contest apply`: applies a participant's changes to the project from which the contest was created. */
export async function contestApply(
  first: string,
  second: string | undefined,
  options: ContestApplyOptions,
): Promise<Answer<Result<'contest apply'>>> {
  // Inside a contest directory, only the participant is needed.
  const isName = second === undefined && options.undo !== true && !isContest(first) && isContest('.')
  const [directory, participant] = isName ? ['.', first] : [first, second]
  const to = wayOf(options)
  const project = options.project === undefined ? null : path.resolve(options.project)
  if (options.undo === true) {
    if (participant !== undefined || to.kind !== 'files' || to.commit !== null || options.path.length > 0)
      throw new PaddockError('BAD_INPUT', '--undo reverts the last apply of a contest completely, and takes no other option.', {
        hint: 'paddock contest apply --undo DIRECTORY',
      })
    return await undone(directory, project, options)
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
  return {
    data: appliedData(done, to),
    ...appliedText(done, to, directory),
    exitCode: done.committed === false ? exitCodes.no : exitCodes.done,
  }
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

async function undone(
  directory: string,
  project: string | null,
  { json, runLater }: Pick<ContestApplyOptions, 'json' | 'runLater'>,
): Promise<Answer<Result<'contest apply'>>> {
  const { applied, ...rest } = await undoApply(directory, project, cliCopyHost({ quiet: json === true }), { foreign: runLater === true })
  return {
    data: { schemaVersion: 1, ...rest, ...applied },
    lines: appliedLines(applied),
    notes: [`${rest.project} is back in its state before the work of ${rest.participant} in round ${rest.round} was applied`],
  }
}
