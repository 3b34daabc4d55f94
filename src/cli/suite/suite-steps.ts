import path from 'node:path'
import { exitCodes } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { formatSize } from '../../base/quantities.ts'
import { shellWord } from '../../base/shell-word.ts'
import { firstLines } from '../../base/text.ts'
import { cancelSuite } from '../../contest/suite/cancel-suite.ts'
import { readSuite } from '../../contest/suite/config/read-suite.ts'
import { archiveSuite, cleanSuite, type ForOne } from '../../contest/suite/each-contest.ts'
import { refineSuite, rejudgeSuite, type SuiteAgain } from '../../contest/suite/suite-again.ts'
import type { SuiteDeps } from '../../contest/suite/suite-deps.ts'
import { here } from '../contest/contest.ts'
import { onHost } from '../contest/contest-host.ts'
import { type Pacing, pacing } from '../contest/pace-options.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { say } from '../terminal/terminal-output.ts'
import { suiteBoardLines } from './suite-lines.ts'
import { names } from './suite-names.ts'
import { suiteProgress } from './suite-progress.ts'

interface Chosen {
  readonly only?: string
}

/** Runs `paddock suite clean`. Exit code 1 if a contest could not be cleaned. */
export async function suiteClean(
  directory: string,
  options: Chosen & { readonly dryRun?: boolean },
): Promise<Answer<Result<'suite clean'>>> {
  const dryRun = options.dryRun === true
  const result = await cleanSuite(directory, own(), { dryRun, only: names(options.only) })
  const removed = result.contests.flatMap(({ run, result: one }) => (one?.removed ?? []).map((each) => ({ run, ...each })))
  const verb = dryRun ? 'would remove' : 'removed'
  const bytes = removed.reduce((sum, each) => sum + each.bytes, 0)
  return {
    data: result,
    lines: [
      ...removed.map((each) => `${verb} ${each.what} ${each.run}: ${each.path} (${formatSize(each.bytes)})`),
      ...endingLines(result.contests, dryRun ? 'looked at' : 'cleaned'),
      removed.length === 0 ? 'there is nothing to remove' : `${verb} ${removed.length} in all, ${formatSize(bytes)}`,
    ],
    exitCode: exitCodeOf(result.contests),
  }
}

interface ArchiveFlags extends Chosen {
  readonly withLogs?: boolean
  readonly format: 'tar' | 'dir'
  readonly out?: string
  readonly allowSecrets?: boolean
}

/** Runs `paddock suite archive`. Exit code 1 if a contest could not be archived. */
export async function suiteArchive(directory: string, options: ArchiveFlags): Promise<Answer<Result<'suite archive'>>> {
  const { config } = await readSuite(directory)
  const out = path.resolve(options.out ?? `${config.name}-archives`)
  const result = await archiveSuite(directory, own(), {
    withLogs: options.withLogs === true,
    format: options.format,
    out,
    allowSecrets: options.allowSecrets === true,
    only: names(options.only),
  })
  const made = result.contests.flatMap((each) => each.result ?? [])
  const bytes = made.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size, 0)
  const unsearched = made.flatMap(({ out: file, notSearched }) =>
    notSearched.map((each) => `${path.basename(file)}: ${each.path} (${each.why})`),
  )
  return {
    data: result,
    lines: [...made.map((each) => here(each.out)), ...endingLines(result.contests, 'archived')],
    notes: [...firstLines(unsearched, 20).map((each) => `not searched for secrets: ${each}`), `${formatSize(bytes)} in ${here(out)}`],
    exitCode: exitCodeOf(result.contests),
  }
}

interface AgainFlags extends Chosen, Pacing {
  readonly quiet?: boolean
}

/** Runs `paddock suite rejudge`. */
export async function suiteRejudge(directory: string, options: AgainFlags): Promise<Answer<Result<'suite rejudge'>>> {
  return await toReport('paddock suite rejudge', options, (deps) => rejudgeSuite(directory, deps, wanted(options)))
}

/** Runs `paddock suite refine`. */
export async function suiteRefine(
  directory: string,
  options: AgainFlags & { readonly participants?: string; readonly feedback?: string },
): Promise<Answer<Result<'suite refine'>>> {
  const { participants, feedback } = options
  const more = {
    ...(participants === undefined ? {} : { participants: names(participants) }),
    ...(feedback === undefined ? {} : { feedback: path.resolve(feedback) }),
  }
  return await toReport('paddock suite refine', options, (deps) => refineSuite(directory, deps, { ...wanted(options), ...more }))
}

/** Runs `paddock suite cancel`. Exit code 1 if no process works on the suite. */
export async function suiteCancel(directory: string): Promise<Answer<Result<'suite cancel'>>> {
  const stop = new AbortController()
  const release = onEndSignal(() => stop.abort())
  try {
    const ended = await cancelSuite(directory, {
      paths: resolvePaths(process.env),
      signal: stop.signal,
      asked: ({ command, pid }) => say(`${command}, process ${pid}, is asked to end; waiting for its cells`),
    })
    return {
      data: { schemaVersion: 1, ended: ended.map(({ run, holder: { pid, command } }) => ({ run, pid, command })) },
      notes: [
        ended.length === 0
          ? 'no process works on this suite'
          : `finished work is kept; to continue, run the same command again, or: paddock suite run ${shellWord(directory)}`,
      ],
      exitCode: ended.length === 0 ? exitCodes.no : exitCodes.done,
    }
  } finally {
    release()
  }
}

function own() {
  return { paths: resolvePaths(process.env), env: process.env }
}

function wanted(options: AgainFlags) {
  return { only: names(options.only), ...pacing(options) }
}

async function toReport(
  command: string,
  options: AgainFlags,
  act: (deps: SuiteDeps) => Promise<SuiteAgain>,
): Promise<Answer<Result<'suite rejudge'>>> {
  const view = suiteProgress(process.stderr, options.quiet === true)
  return await onHost(view, command, async (host) => {
    const { summary, files, contests, exitCode } = await act({ ...host, progress: view.event })
    view.end()
    return {
      data: { schemaVersion: 1, suite: summary.suite, contests, summary },
      lines: [...suiteBoardLines(summary), '', ...endingLines(contests, 'done'), `report ${here(files.html)}`],
      exitCode,
    }
  })
}

type Ended = Pick<ForOne<never>, 'run' | 'state' | 'why'>

/** Returns how many contests are done, skipped and failed, after the reasons. `verb`: what was done. */
function endingLines(contests: readonly Ended[], verb: string): readonly string[] {
  const of = (state: Ended['state']): readonly Ended[] => contests.filter((each) => each.state === state)
  const reasons = (['skipped', 'failed'] as const).flatMap((state) => of(state).map(({ run, why }) => `${state}: ${run}: ${why}`))
  const counts = [`${of('done').length} of ${contests.length} contests ${verb}`]
  for (const state of ['skipped', 'failed'] as const) if (of(state).length > 0) counts.push(`${of(state).length} ${state}`)
  return [...firstLines(reasons, 40), counts.join(', ')]
}

function exitCodeOf(contests: readonly Ended[]): number {
  return contests.some(({ state }) => state === 'failed') ? exitCodes.no : exitCodes.done
}
