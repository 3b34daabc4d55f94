import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { exitCodes, PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { dollars } from '../../config/request/limit-texts.ts'
import { copyContest } from '../../contest/config/new-contest.ts'
import type { Summary } from '../../contest/ranking/contest-summary.ts'
import { reportContest } from '../../contest/report/report-contest.ts'
import type { ContestResult } from '../../contest/report/result.ts'
import { contestPlan } from '../../contest/stages/plan-contest.ts'
import { judgeContest, runContest } from '../../contest/stages/run-contest.ts'
import { standings } from '../../contest/state/judge-state.ts'
import { noteContest } from '../../contest/state/known-contests.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { onContestHost } from './contest-host.ts'
import { afterJudging, leaderboardLines } from './contest-lines.ts'
import { planLines } from './contest-plan-lines.ts'
import { at, type Pacing, type PlaceOptions, pacing } from './pace-options.ts'

interface RunOptions extends Pacing, PlaceOptions {
  readonly budget?: string
  readonly quiet?: boolean
  readonly retry?: boolean
  readonly only?: string
  readonly to?: string
  readonly fresh?: boolean
  readonly dryRun?: boolean
}

/** `paddock contest run`: prints results to standard output, everything else to standard error. */
export async function contestRun(directory: string, options: RunOptions): Promise<Answer<Result<'contest run'>>> {
  if (options.dryRun === true && options.to !== undefined)
    throw new PaddockError('BAD_INPUT', '--dry-run and --to cannot be combined: --to copies the contest.', { hint: 'Leave --to out' })
  const target = options.to === undefined ? directory : path.resolve(options.to)
  if (options.to !== undefined) await copyContest(directory, target)
  const asked = {
    retry: options.retry === true,
    fresh: options.fresh === true,
    ...pacing(options),
    ...(options.budget === undefined ? {} : { budget: dollars('--budget', options.budget) }),
    ...(options.only === undefined ? {} : { only: options.only }),
  }
  return await onContestHost(options, async (host, view) => {
    const deps = { ...host, ...at(options, host.place) }
    // Its cells must not see the contest that it was copied from either.
    if (options.to !== undefined) noteContest(host.paths.state, { root: await realpath(directory) })
    if (options.dryRun === true) {
      const plan = await contestPlan(target, deps, asked)
      return { data: plan, lines: planLines(plan) }
    }
    const result = await runContest(target, deps, asked)
    view.end()
    return resultAnswer(result, target)
  })
}

/** `paddock contest judge`: asks the judges. Exit code 1 if no judge gave scores. */
export async function contestJudge(
  directory: string,
  options: Pacing & { readonly quiet?: boolean },
): Promise<Answer<Result<'contest judge'>>> {
  return await onContestHost(options, async (deps, view) => {
    const judged = await judgeContest(directory, deps, { retry: false, ...pacing(options) })
    view.end()
    const judges = standings(judged.tasks)
    return {
      data: { ...judged, judges },
      notes: options.quiet === true ? [] : [afterJudging(judged, shellWord(directory))],
      exitCode: Object.values(judges).some((each) => each.state === 'scored') ? exitCodes.done : exitCodes.no,
    }
  })
}

/** `paddock contest report`: writes the report from the scores. */
export async function contestReport(directory: string): Promise<Answer<Result<'contest report'>>> {
  return resultAnswer(await reportContest(directory, () => new Date()), directory)
}

/** Returns the answer at the end of a contest. */
export function resultAnswer({ summary, files, exitCode }: ContestResult, directory: string): Answer<Summary> {
  return { data: summary, lines: [...leaderboardLines(summary, shellWord(directory)), '', `report ${here(files.html)}`], exitCode }
}

/** Returns a path relative to the working directory if that is shorter, else the path itself. */
export function here(file: string): string {
  const relative = path.relative(process.cwd(), file)
  return relative.startsWith('..') ? file : relative
}
