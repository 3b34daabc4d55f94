import { mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { type LintResult, lintContest } from '../lint/lint.ts'
import type { Finding } from '../lint/lint-finding.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { layOut } from './config/lay-out-suite.ts'
import { type GoodBrief, readSuite } from './config/read-suite.ts'
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

/**
 * `suite lint`: returns the findings of `contest lint` for each brief. Broken briefs are faults. With `try`, the checks of each brief are
 * run on an empty submission and on the brief's oracle. Runs no agent, and leaves no files in the suite.
 */
export async function lintSuite(
  directory: string,
  deps: ContestDeps,
  options: {
    readonly try: boolean
    readonly only: readonly string[]
    readonly parallel?: number
    readonly linted?: (brief: LintedBrief) => void
  },
): Promise<SuiteLint> {
  const suite = await readSuite(directory)
  const scratch = path.join(deps.paths.state, 'scratch')
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const briefs: LintedBrief[] = []
  const add = (brief: LintedBrief): void => {
    briefs.push(brief)
    options.linted?.(brief)
  }
  if (options.only.length === 0)
    for (const { name, problem } of suite.briefs)
      if (problem !== null) add({ brief: name, findings: [{ level: 'fault', key: 'brief', message: problem }], tried: null })
  for (const { brief } of runsOf({ ...suite, config: { ...suite.config, repeats: 1 } }, options.only)) {
    const at = await mkdtemp(path.join(scratch, 'suite-lint-'))
    try {
      await layOut(suite, brief, at)
      const { findings, tried } = await lintContest(at, deps, {
        try: options.try,
        ...(options.parallel === undefined ? {} : { parallel: options.parallel }),
      })
      add({ brief: brief.name, findings: [...findings, ...thinBrief(brief)], tried })
    } catch (error) {
      if (!(error instanceof PaddockError) || deps.signal.aborted) throw error
      add({ brief: brief.name, findings: [{ level: 'fault', key: 'brief', message: messageOf(error) }], tried: null })
    } finally {
      await removeTree(at)
    }
  }
  return { schemaVersion: 1, suite: suite.config.name, briefs }
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
