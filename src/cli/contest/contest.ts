import path from 'node:path'
import { count, duration } from '../../config/request/limit-texts.ts'
import { copyContest } from '../../contest/config/new-contest.ts'
import { standings } from '../../contest/judging/standing.ts'
import { reportContest } from '../../contest/report/report-contest.ts'
import type { ContestResult } from '../../contest/report/result.ts'
import { contestPlan } from '../../contest/run/plan.ts'
import { judgeContest, runContest } from '../../contest/run/run-contest.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import { printJson, say } from '../terminal/output.ts'
import { onContestHost } from './contest-host.ts'
import { afterJudging, leaderboardLines, planLines } from './contest-lines.ts'
import { contestLint } from './contest-lint.ts'
import { showStatus } from './contest-status.ts'

interface StepOptions extends Pacing {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly retry?: boolean
  readonly only?: string
  readonly to?: string
  readonly fresh?: boolean
  readonly dryRun?: boolean
  readonly try?: boolean
  readonly watch?: boolean
}

/** `paddock contest run|judge|lint|report|status`: results to standard output, everything else to standard error. */
export async function contestStep(
  step: 'run' | 'judge' | 'lint' | 'report' | 'status',
  directory: string,
  options: StepOptions,
): Promise<number> {
  if (step === 'status') return await showStatus(directory, options)
  if (step === 'report') {
    const result = await reportContest(directory, () => new Date())
    return show(result, options)
  }
  if (options.dryRun === true && options.to !== undefined)
    throw new PaddockError('BAD_INPUT', '--dry-run and --to cannot be combined: --to copies the contest.', { hint: 'Leave --to out' })
  const target = options.to === undefined ? directory : path.resolve(options.to)
  if (options.to !== undefined) await copyContest(directory, target)
  return await onContestHost(options, async (deps, view) => {
    const paced = pacing(options)
    const only = options.only === undefined ? {} : { only: options.only }
    const again = { retry: options.retry === true, ...paced }
    if (step === 'lint') return await contestLint(directory, options, deps, paced)
    if (options.dryRun === true) {
      const plan = await contestPlan(target, deps, { ...again, ...only, fresh: options.fresh === true })
      if (options.json === true) printJson(plan)
      else for (const line of planLines(plan)) process.stdout.write(`${line}\n`)
      return exitCodes.done
    }
    if (step === 'judge') {
      const judged = await judgeContest(target, deps, again)
      view.end()
      const judges = standings(judged.tasks)
      if (options.json === true) printJson({ ...judged, judges })
      if (options.quiet !== true) say(afterJudging(judged, shellWord(directory)))
      return Object.values(judges).some((each) => each.state === 'scored') ? exitCodes.done : exitCodes.no
    }
    const result = await runContest(target, deps, { ...again, fresh: options.fresh === true, ...only })
    view.end()
    return show(result, options)
  })
}

/** How many cells run at once, and how long limits are waited for, as options say it. */
export function pacing(options: Pacing): { readonly parallel?: number; readonly waitForLimits?: number } {
  const { parallel, waitForLimits } = options
  return {
    ...(parallel === undefined ? {} : { parallel: count('--parallel', parallel) }),
    ...(waitForLimits === undefined ? {} : { waitForLimits: duration('--wait-for-limits', waitForLimits) }),
  }
}

export interface Pacing {
  readonly parallel?: string
  readonly waitForLimits?: string
}

/** Prints the end of a contest, and returns its exit code. */
export function show(result: ContestResult, options: { readonly json?: boolean }): number {
  if (options.json === true) {
    printJson(result.summary)
    return result.exitCode
  }
  for (const line of leaderboardLines(result.summary)) process.stdout.write(`${line}\n`)
  process.stdout.write(`\nreport ${here(result.files.html)}\n`)
  return result.exitCode
}

function here(file: string): string {
  const relative = path.relative(process.cwd(), file)
  return relative.startsWith('..') ? file : relative
}
