import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { count } from '../../config/request/limit-texts.ts'
import { briefsFromGit, type CommitResult } from '../../contest/suite/from-git/from-git.ts'
import type { OwnCommand } from '../../contest/suite/from-git/test-runners.ts'
import { onHost } from '../contest/contest-host.ts'
import { contestProgress } from '../contest/contest-progress.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

interface Flags {
  readonly since?: string
  readonly most: string
  readonly repeats: string
  readonly test?: string
  readonly junit?: string
  readonly history?: boolean
  readonly parallel?: string
  readonly quiet?: boolean
}

const mostRepeats = 5

/** `paddock suite from-git`: exit code 1 if no commit became a brief. */
export async function suiteFromGit(repository: string, directory: string, flags: Flags): Promise<Answer<Result<'suite from-git'>>> {
  const repeats = count('--repeats', flags.repeats)
  if (repeats > mostRepeats) throw new PaddockError('BAD_INPUT', `--repeats ${repeats} is more than ${mostRepeats}.`)
  const options = {
    since: flags.since ?? null,
    most: count('--most', flags.most),
    repeats,
    own: ownCommand(flags),
    history: flags.history === true,
    parallel: flags.parallel === undefined ? null : count('--parallel', flags.parallel),
  }
  const project = await realpath(repository).catch(() => null)
  if (project === null) throw new PaddockError('NOT_FOUND', `There is no directory ${repository}.`)
  const view = contestProgress(process.stderr, flags.quiet === true)
  return await onHost(view, 'paddock suite from-git', async (deps) => {
    const done = (each: CommitResult): void => {
      if (flags.quiet !== true) view.note(`${each.commit.slice(0, 8)} ${each.brief === null ? 'is left out' : `is ${each.brief}`}`)
    }
    const result = await briefsFromGit(project, directory, { ...options, done }, deps)
    view.end()
    const made = result.commits.filter(({ brief }) => brief !== null)
    const word = shellWord(directory)
    return {
      data: result,
      lines: [
        ...result.commits.flatMap(({ commit, subject, reason }) =>
          reason === null ? [] : [`left out: ${commit.slice(0, 8)} ${subject}: ${reason}`],
        ),
        ...made.map(({ brief, tests }) =>
          tests === null
            ? `${brief}: it existed already`
            : `${brief}: ${tests.fixed} ${tests.fixed === 1 ? 'test' : 'tests'} to fix, ${tests.kept} to keep`,
        ),
        `${made.length} of ${result.commits.length} commits are briefs of ${result.suite}`,
      ],
      notes: [
        ...result.notes,
        ...(made.length === 0
          ? []
          : [`edit each BRIEF.md, and name the participants in suite.yaml; then: paddock suite lint --try ${word}`]),
      ],
      exitCode: made.length > 0 ? exitCodes.done : exitCodes.no,
    }
  })
}

function ownCommand({ test, junit }: Pick<Flags, 'test' | 'junit'>): OwnCommand | null {
  if (test === undefined && junit === undefined) return null
  if (test === undefined)
    throw new PaddockError('BAD_INPUT', '--junit requires --test.', { hint: 'Name the command that writes the report' })
  if (junit === undefined)
    throw new PaddockError('BAD_INPUT', '--test requires --junit.', { hint: 'Name the report that the command writes' })
  const report = path.posix.normalize(junit)
  if (report.startsWith('/') || report.startsWith('..') || /['\n]/.test(report))
    throw new PaddockError('BAD_INPUT', '--junit must be a path in the repository, without quotes.', {
      hint: 'For example: --junit build/report.xml',
    })
  return { command: test, report }
}
