import { existsSync } from 'node:fs'
import * as z from 'zod'
import { messageOf, PaddockError } from '../../../base/errors.ts'
import { inOrder } from '../../../base/in-order.ts'
import { readContest } from '../../config/brief.ts'
import { Layout } from '../../config/contest-layout.ts'
import { refuseLinkedRecords } from '../../config/refuse-linked-records.ts'
import { comparedOf } from '../../ranking/compared-pairs.ts'
import type { NotRanked, Ranked, Summary } from '../../ranking/contest-summary.ts'
import { evidenceOn, type JudgeEvidence } from '../../ranking/judge-cards.ts'
import type { Work } from '../../ranking/work.ts'
import { readFindings } from '../../report/read-findings.ts'
import { deliveredOf, judgesOf, workOf } from '../../report/summarise.ts'
import { fitted } from '../../state/contest-state.ts'
import { type RunStanding, runName, type SuiteRun } from '../runs.ts'

/** The facts of a contest that a suite needs. Ranking each contest would take most of the time of a suite's report. */
interface ContestResults {
  readonly delivered: readonly Ranked[]
  readonly notRanked: readonly NotRanked[]
  readonly judges: Summary['judges']
}

/** The results of one contest of a suite. */
export interface Gathered {
  readonly run: SuiteRun
  readonly state: RunStanding['state']
  /** The reason why the contest is not complete, if known. */
  readonly why: string | null
  /** Whether the contest has a report to link to. */
  readonly hasReport: boolean
  /** The results; null: the contest was not run. */
  readonly found: {
    readonly results: ContestResults
    readonly rubric: string
    readonly hasChecks: boolean
    readonly round: number
    readonly work: Work
    /** The evidence on each judge. */
    readonly evidence: ReadonlyMap<string, JudgeEvidence>
  } | null
}

/** Reading is mostly waiting for small files. */
const readAtOnce = 16

/** Reads the results of each contest. A contest whose files cannot be read counts as not run, with the reason. */
export async function gather(standings: readonly RunStanding[], whys: ReadonlyMap<string, string>): Promise<Gathered[]> {
  return await inOrder(standings, readAtOnce, (standing) => gatherOne(standing, whys.get(runName(standing.run)) ?? null))
}

async function gatherOne({ run, status, state }: RunStanding, why: string | null): Promise<Gathered> {
  const hasReport = existsSync(new Layout(run.directory).html)
  if (status === null) return { run, state, why, hasReport, found: null }
  try {
    const contest = await readContest(run.directory)
    await refuseLinkedRecords(contest.layout)
    const findings = await readFindings(contest, fitted(status, contest.config))
    const { delivered, notRanked } = deliveredOf(findings)
    const results = { delivered, notRanked, judges: judgesOf(findings, new Map()) }
    const work = workOf(run.brief.name, delivered, comparedOf(findings.pairs), notRanked)
    const evidence = new Map(contest.config.judges.map(({ name }) => [name, evidenceOn(name, findings, work, runName(run))]))
    const { rubric = null, checks } = contest.config
    const about = { rubric: JSON.stringify(rubric), hasChecks: checks.length > 0, round: status.round }
    return { run, state, why, hasReport, found: { results, ...about, work, evidence } }
  } catch (error) {
    // A record that is not JSON, or not of its schema, is one that cannot be read.
    if (!(error instanceof PaddockError || error instanceof SyntaxError || error instanceof z.ZodError)) throw error
    return { run, state: 'unfinished', why: messageOf(error), hasReport, found: null }
  }
}
