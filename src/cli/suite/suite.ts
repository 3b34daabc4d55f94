import path from 'node:path'
import { count } from '../../config/request/limit-texts.ts'
import { readSuite } from '../../contest/suite/config/read-suite.ts'
import { suitePlan } from '../../contest/suite/plan-suite.ts'
import { reportSuite, type SuiteResult } from '../../contest/suite/report/report-suite.ts'
import { runSuite } from '../../contest/suite/run-suite.ts'
import { runName, runsOf, standingsOf } from '../../contest/suite/runs.ts'
import { suiteAsks } from '../../contest/suite/trust.ts'
import { exitCodes } from '../../errors.ts'
import { onHost } from '../contest/contest-host.ts'
import { trustAsks } from '../contest/contest-trust.ts'
import { printJson } from '../terminal/output.ts'
import { names } from './names.ts'
import { suiteBoardLines, suitePlanLines, suiteStatusLines } from './suite-lines.ts'
import { suiteProgress } from './suite-progress.ts'

interface SuiteStepOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly parallel?: string
  readonly only?: string
  readonly retry?: boolean
  readonly fresh?: boolean
  readonly dryRun?: boolean
}

/** `paddock suite run|report|status`: results to standard output, everything else to standard error. */
export async function suiteStep(step: 'run' | 'report' | 'status', directory: string, options: SuiteStepOptions): Promise<number> {
  if (step === 'status') return await status(directory, options)
  if (step === 'report') return show(await reportSuite(directory, new Date()), options)
  const view = suiteProgress(process.stderr, options.quiet === true)
  const wanted = {
    ...(options.parallel === undefined ? {} : { parallel: count('--parallel', options.parallel) }),
    only: names(options.only),
    retry: options.retry === true,
    fresh: options.fresh === true,
  }
  return await onHost(view, 'paddock suite run', async (host) => {
    const deps = { ...host, progress: view.event }
    if (options.dryRun === true) {
      const plan = await suitePlan(directory, deps, wanted)
      if (options.json === true) printJson(plan)
      else for (const line of suitePlanLines(plan)) process.stdout.write(`${line}\n`)
      return exitCodes.done
    }
    const result = await runSuite(directory, deps, wanted)
    view.end()
    return show(result, options)
  })
}

/** `paddock suite trust` */
export async function suiteTrust(directory: string, options: { readonly show?: boolean; readonly json?: boolean }): Promise<number> {
  const suite = await readSuite(directory)
  return await trustAsks(suite.layout.config, suiteAsks(suite), options)
}

function show({ summary, files, exitCode }: SuiteResult, options: SuiteStepOptions): number {
  if (options.json === true) printJson(summary)
  else {
    for (const line of suiteBoardLines(summary)) process.stdout.write(`${line}\n`)
    const relative = path.relative(process.cwd(), files.html)
    process.stdout.write(`\nreport ${relative.startsWith('..') ? files.html : relative}\n`)
  }
  return exitCode
}

async function status(directory: string, options: SuiteStepOptions): Promise<number> {
  const suite = await readSuite(directory)
  const standings = await standingsOf(runsOf(suite))
  const broken = suite.briefs.flatMap(({ path: at, problem }) => (problem === null ? [] : [{ path: at, problem }]))
  if (options.json === true)
    printJson({
      schemaVersion: 1,
      suite: suite.config.name,
      contests: standings.map(({ run, state, open }) => ({ run: runName(run), directory: run.directory, state, open })),
      broken,
    })
  else for (const line of suiteStatusLines(suite.config.name, standings, broken)) process.stdout.write(`${line}\n`)
  return exitCodes.done
}
