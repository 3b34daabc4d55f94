import { resolvePaths } from '../../base/paths.ts'
import { count, dollars } from '../../config/request/limit-texts.ts'
import { readSuite } from '../../contest/suite/config/read-suite.ts'
import { suitePlan } from '../../contest/suite/plan-suite.ts'
import { reportSuite, type SuiteResult } from '../../contest/suite/report/report-suite.ts'
import { runSuite } from '../../contest/suite/run-suite.ts'
import { suiteStanding } from '../../contest/suite/suite-standing.ts'
import { suiteAsks } from '../../contest/suite/trust-suite.ts'
import { here } from '../contest/contest.ts'
import { onHost } from '../contest/contest-host.ts'
import { trustAsks } from '../contest/contest-trust.ts'
import { at, type PlaceOptions } from '../contest/pace-options.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { suiteBoardLines, suitePlanLines, suiteStatusLines } from './suite-lines.ts'
import { names } from './suite-names.ts'
import { suiteProgress } from './suite-progress.ts'

interface SuiteRunOptions extends PlaceOptions {
  readonly budget?: string
  readonly quiet?: boolean
  readonly parallel?: string
  readonly only?: string
  readonly retry?: boolean
  readonly fresh?: boolean
  readonly dryRun?: boolean
}

/** `paddock suite run`: prints results to standard output, everything else to standard error. */
export async function suiteRun(directory: string, options: SuiteRunOptions): Promise<Answer<Result<'suite run'>>> {
  const view = suiteProgress(process.stderr, options.quiet === true)
  const wanted = {
    ...(options.parallel === undefined ? {} : { parallel: count('--parallel', options.parallel) }),
    ...(options.budget === undefined ? {} : { budget: dollars('--budget', options.budget) }),
    only: names(options.only),
    retry: options.retry === true,
    fresh: options.fresh === true,
  }
  return await onHost(view, 'paddock suite run', async (host) => {
    const deps = { ...host, ...at(options, host.place), progress: view.event }
    if (options.dryRun === true) {
      const plan = await suitePlan(directory, deps, wanted)
      return { data: plan, lines: suitePlanLines(plan) }
    }
    const result = await runSuite(directory, deps, wanted)
    view.end()
    return resultAnswer(result)
  })
}

/** Runs `paddock suite report`. */
export async function suiteReport(directory: string): Promise<Answer<Result<'suite report'>>> {
  return resultAnswer(await reportSuite(directory, new Date()))
}

/** Runs `paddock suite trust`. */
export async function suiteTrust(directory: string, options: { readonly show?: boolean }): Promise<Answer<Result<'suite trust'>>> {
  const suite = await readSuite(directory)
  return await trustAsks(suite.layout.config, suiteAsks(suite), options)
}

/** Runs `paddock suite status`. */
export async function suiteStatus(directory: string): Promise<Answer<Result<'suite status'>>> {
  const standing = await suiteStanding(directory, resolvePaths(process.env))
  return { data: standing, lines: suiteStatusLines(standing) }
}

function resultAnswer({ summary, files, exitCode }: SuiteResult): Answer<Result<'suite report'>> {
  return { data: summary, lines: [...suiteBoardLines(summary), '', `report ${here(files.html)}`], exitCode }
}
