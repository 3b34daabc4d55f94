import { PaddockError } from '../../../base/errors.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { writeAtomic, writeJson } from '../../../files/atomic.ts'
import { withoutSecrets } from '../../judging/without-secrets.ts'
import { refuseLink } from '../config/lay-out-suite.ts'
import { readSuite, type Suite } from '../config/read-suite.ts'
import { runsOf, standingsOf } from '../runs.ts'
import { gather } from './gather.ts'
import { suiteLeaderboard } from './suite-leaderboard.ts'
import { suitePage } from './suite-page.ts'
import type { SuiteSummary } from './suite-summary.ts'
import { summariseSuite } from './summarise-suite.ts'

export interface SuiteResult {
  readonly summary: SuiteSummary
  readonly files: { readonly leaderboard: string; readonly html: string; readonly summary: string }
  /** 0 if there is a ranking. 1 if the suite ran but there is no ranking. */
  readonly exitCode: 0 | 1
}

/** Facts that only the run that has just ended knows. */
export interface RunFacts {
  /** The reason why a contest is not complete, by the name of the contest. */
  readonly whys: ReadonlyMap<string, string>
  readonly reached: string | null
}

/** `suite report`: writes a report of the current state of a suite. Takes no lock. Throws NOT_FOUND if no contest of it was run. */
export async function reportSuite(directory: string, now: Date): Promise<SuiteResult> {
  const suite = await readSuite(directory)
  const standings = await standingsOf(runsOf(suite))
  if (standings.every(({ status }) => status === null))
    throw new PaddockError('NOT_FOUND', `The suite in ${suite.layout.root} was never run.`, {
      hint: `Run it first: paddock suite run ${shellWord(directory)}`,
    })
  return await writeSuiteReport(suite, { whys: new Map(), reached: null }, now)
}

/** Writes the three report files for all contests of a suite. */
export async function writeSuiteReport(suite: Suite, { whys, reached }: RunFacts, now: Date): Promise<SuiteResult> {
  const { layout } = suite
  const gathered = await gather(await standingsOf(runsOf(suite)), whys)
  const summary = withoutSecrets(summariseSuite(suite, gathered, reached, now))
  for (const each of [layout.summary, layout.leaderboard, layout.html]) refuseLink(layout.root, each)
  await writeJson(layout.summary, summary)
  await writeAtomic(layout.leaderboard, suiteLeaderboard(summary))
  await writeAtomic(layout.html, suitePage(summary))
  const files = { leaderboard: layout.leaderboard, html: layout.html, summary: layout.summary }
  return { summary, files, exitCode: summary.rankedBy === 'nothing' ? 1 : 0 }
}
