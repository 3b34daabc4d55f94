import { PaddockError } from '../../base/errors.ts'
import { type Contest, readContest } from '../config/brief.ts'
import { refuseLinkedRecords } from '../config/refuse-linked-records.ts'
import type { Summary } from '../ranking/contest-summary.ts'
import { type ContestStatus, fitted, readStatus } from '../state/contest-state.ts'
import { readFindings } from './read-findings.ts'
import type { ContestResult } from './result.ts'
import { summarise } from './summarise.ts'
import { writeReport } from './write-report.ts'

/** The maximum number of attempts. A run changes its status less often than a report takes to write. */
const mostTries = 20

/**
 * `contest report`: writes a report of the current state of a contest. Takes no lock and changes nothing else, so it also works during a
 * run. If the contest changes in the meantime, the report is made again.
 * @throws PaddockError NOT_FOUND if the contest was never run.
 */
export async function reportContest(directory: string, now: () => Date): Promise<ContestResult> {
  return await ofCurrent(directory, (contest, status) => reportOf(contest, status, now()))
}

/** Returns the summary that a report would contain now, without writing anything. */
export async function summaryNow(directory: string, now: () => Date): Promise<Summary> {
  return await ofCurrent(directory, async (contest, status) =>
    summarise(await readFindings(contest, fitted(status, contest.config)), now()),
  )
}

async function ofCurrent<T>(directory: string, make: (contest: Contest, status: ContestStatus) => Promise<T>): Promise<T> {
  const contest = await readContest(directory)
  await refuseLinkedRecords(contest.layout)
  for (let tries = 1; ; tries++) {
    const status = await readStatus(contest.layout)
    if (status === null)
      throw new PaddockError('NOT_FOUND', `The contest in ${directory} was never run.`, {
        hint: `Run: paddock contest run ${directory}`,
      })
    const made = await make(contest, status).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const isCurrent = JSON.stringify(await readStatus(contest.layout)) === JSON.stringify(status)
    if (!isCurrent && tries < mostTries) continue
    if ('error' in made) throw made.error
    return made.value
  }
}

/** Writes the report for this status. */
export async function reportOf(contest: Contest, status: ContestStatus, now: Date): Promise<ContestResult> {
  const summary = await writeReport(contest, fitted(status, contest.config), now)
  const { leaderboard, html, summary: json } = contest.layout
  return { summary, files: { leaderboard, html, summary: json }, exitCode: summary.rankedBy === 'nothing' ? 1 : 0 }
}
