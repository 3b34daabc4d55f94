import path from 'node:path'
import { count } from '../../config/request/limit-texts.ts'
import { copyContest, newContest } from '../../contest/config/new-contest.ts'
import { standings } from '../../contest/judging/standing.ts'
import { reportContest } from '../../contest/report/report-contest.ts'
import type { ContestResult } from '../../contest/report/result.ts'
import { contestDeps } from '../../contest/run/host-deps.ts'
import { contestPlan } from '../../contest/run/plan.ts'
import { contestStatus, judgeContest, runContest } from '../../contest/run/run-contest.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { shellWord } from '../../shell-word.ts'
import { openCliHost } from '../open-host.ts'
import { unresolvableNotice } from '../run/unresolvable.ts'
import { printJson, say } from '../terminal/output.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { afterJudging, leaderboardLines, planLines, statusLines } from './contest-lines.ts'
import { contestLint } from './contest-lint.ts'
import { contestProgress, type ProgressView } from './contest-progress.ts'

interface StepOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly parallel?: string
  readonly retry?: boolean
  readonly only?: string
  readonly to?: string
  readonly fresh?: boolean
  readonly dryRun?: boolean
  readonly try?: boolean
}

/** `paddock contest new DIRECTORY`. */
export async function contestNew(directory: string): Promise<number> {
  const made = await newContest(directory)
  for (const each of made) say(`made ${path.relative(process.cwd(), each) || each}`)
  say(`fill in contest.yaml, BRIEF.md and JUDGE_BRIEF.md in ${directory}, then: paddock contest run ${shellWord(directory)}`)
  return exitCodes.done
}

/** `paddock contest run|judge|lint|report|status`: results to standard output, everything else to standard error. */
export async function contestStep(
  step: 'run' | 'judge' | 'lint' | 'report' | 'status',
  directory: string,
  options: StepOptions,
): Promise<number> {
  if (step === 'status') return status(directory, options)
  if (step === 'report') {
    const result = await reportContest(directory, () => new Date())
    show(result, options)
    return result.exitCode
  }
  if (options.dryRun === true && options.to !== undefined)
    throw new PaddockError('BAD_INPUT', '--dry-run and --to cannot be combined: --to copies the contest.', { hint: 'Leave --to out' })
  const target = options.to === undefined ? directory : path.resolve(options.to)
  if (options.to !== undefined) await copyContest(directory, target)
  const view = contestProgress(process.stderr, options.quiet === true)
  const host = openCliHost({ onUnresolvable: unresolvableNotice(view.note) })
  const cancel = new AbortController()
  const release = onInterrupt(cancel, view)
  try {
    const deps = contestDeps(host, { signal: cancel.signal, progress: view.event })
    const parallel = options.parallel === undefined ? {} : { parallel: count('--parallel', options.parallel) }
    const only = options.only === undefined ? {} : { only: options.only }
    const again = { retry: options.retry === true, ...parallel }
    if (step === 'lint') return await contestLint(directory, options, deps, parallel)
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
    show(result, options)
    return result.exitCode
  } finally {
    view.end()
    release()
    host[Symbol.dispose]()
  }
}

function show(result: ContestResult, options: StepOptions): void {
  if (options.json === true) return printJson(result.summary)
  for (const line of leaderboardLines(result.summary)) process.stdout.write(`${line}\n`)
  process.stdout.write(`\nreport ${here(result.files.html)}\n`)
}

function here(file: string): string {
  const relative = path.relative(process.cwd(), file)
  return relative.startsWith('..') ? file : relative
}

async function status(directory: string, options: StepOptions): Promise<number> {
  const { contest, status, atWork } = await contestStatus(directory, resolvePaths(process.env))
  const names = contest.config.judges.map((each) => each.name)
  if (options.json === true) printJson(status === null ? null : { ...status, judges: standings(status.tasks, names), atWork })
  else for (const line of statusLines(contest.config, status, atWork)) process.stdout.write(`${line}\n`)
  return exitCodes.done
}

/** The first Ctrl-C ends all cells and keeps what is done; the second does not wait for it. */
function onInterrupt(cancel: AbortController, view: ProgressView): () => void {
  const interrupt = (): void => {
    if (cancel.signal.aborted) process.exit(exitCodes.cancelled)
    view.note('ending all cells; what is done is kept, and "paddock contest run" continues from here')
    cancel.abort(new PaddockError('CANCELLED', 'The contest was interrupted.', { hint: 'Go on with: paddock contest run' }))
  }
  return onEndSignal(interrupt)
}
