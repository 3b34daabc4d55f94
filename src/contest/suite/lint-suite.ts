import { mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { type LintResult, lintContest, lintFiles } from '../lint/lint.ts'
import type { Finding } from '../lint/lint-finding.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestInPlace } from './config/brief-in-place.ts'
import { layOut } from './config/lay-out-suite.ts'
import { briefsAtOnce, type GoodBrief, readSuite, type Suite } from './config/read-suite.ts'
import { runsOf } from './runs.ts'

/** The faults and possible improvements of one brief in a suite. */
export interface LintedBrief extends Pick<LintResult, 'findings' | 'tried'> {
  readonly brief: string
}

export interface SuiteLint {
  readonly schemaVersion: 1
  readonly suite: string
  readonly briefs: readonly LintedBrief[]
}

export interface SuiteLintOptions {
  /** Runs the checks, but no agent. */
  readonly try: boolean
  /** The names of the briefs to check; empty: all. */
  readonly only: readonly string[]
  /** The maximum number of cells at the same time. */
  readonly parallel?: number
  readonly linted?: (brief: LintedBrief) => void
}

/**
 * `suite lint`: returns the findings of `contest lint` for each brief. Broken briefs are faults. With `try`, the checks of each brief are
 * run on an empty submission and on the brief's oracle. Runs no agent, and leaves no files in the suite.
 */
export async function lintSuite(directory: string, deps: ContestDeps, options: SuiteLintOptions): Promise<SuiteLint> {
  const suite = await readSuite(directory)
  const broken = suite.briefs.flatMap(({ name, problem }) => (problem === null || options.only.length > 0 ? [] : [faulty(name, problem)]))
  for (const each of broken) options.linted?.(each)
  const briefs = [...broken]
  const runs = runsOf({ ...suite, config: { ...suite.config, repeats: 1 } }, options.only)
  // The cells of one brief run at the same time.
  const atOnce = options.try ? 1 : briefsAtOnce
  for (let at = 0; at < runs.length; at += atOnce) {
    deps.signal.throwIfAborted()
    const linted = await Promise.all(runs.slice(at, at + atOnce).map(({ brief }) => lintBrief(suite, brief, deps, options)))
    for (const each of linted) options.linted?.(each)
    briefs.push(...linted)
  }
  return { schemaVersion: 1, suite: suite.config.name, briefs }
}

/** Returns the findings about one brief. A brief that cannot be run is a fault. */
async function lintBrief(suite: Suite, brief: GoodBrief, deps: ContestDeps, options: SuiteLintOptions): Promise<LintedBrief> {
  try {
    const { findings, tried } = options.try
      ? await tryBrief(suite, brief, deps, options.parallel)
      : { findings: await lintFiles(await contestInPlace(suite, brief), deps), tried: null }
    return { brief: brief.name, findings: [...findings, ...thinBrief(brief)], tried }
  } catch (error) {
    if (!(error instanceof PaddockError) || deps.signal.aborted) throw error
    return faulty(brief.name, messageOf(error))
  }
}

function faulty(brief: string, message: string): LintedBrief {
  return { brief, findings: [{ level: 'fault', key: 'brief', message }], tried: null }
}

/** Lints a copy of a brief's contest, and tries its checks. */
async function tryBrief(suite: Suite, brief: GoodBrief, deps: ContestDeps, parallel: number | undefined): Promise<LintResult> {
  const scratch = path.join(deps.paths.state, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const at = await mkdtemp(path.join(scratch, 'suite-lint-'))
  try {
    await layOut(suite, brief, at)
    return await lintContest(at, deps, { try: true, ...(parallel === undefined ? {} : { parallel }) })
  } finally {
    await removeTree(at)
  }
}

/** The fewest words of a commit message that may describe a task. The paragraphs that Paddock adds have no words that count. */
const fewestWords = 25

/** Returns advice on a brief that says little more than the subject of a commit. */
function thinBrief({ isFromGit, texts }: GoodBrief): Finding[] {
  const own = texts['BRIEF.md'].split('\nYour working directory has the files')[0] ?? ''
  const words = own.split(/\s+/).filter((each) => /\w/.test(each)).length
  if (!isFromGit || words >= fewestWords) return []
  const message = `has only ${words} words, from the message of a commit: describe the task, and the names that its tests use`
  return [{ level: 'advice', key: 'BRIEF.md', message }]
}
