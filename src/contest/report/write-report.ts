import { writeAtomic, writeJson } from '../../files/atomic.ts'
import type { Contest } from '../config/brief.ts'
import { withoutSecrets } from '../judging/without-secrets.ts'
import type { Summary } from '../ranking/contest-summary.ts'
import { packWork, type SealedWork } from '../seal/packed-work.ts'
import type { Seal } from '../seal/seal-schema.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import { leaderboard } from './contest-leaderboard.ts'
import { reportPage } from './page/report-page.ts'
import { readFindings } from './read-findings.ts'
import { summarise } from './summarise.ts'

/** Makes the report of a contest and writes its three files. */
export async function writeReport(contest: Contest, status: ContestStatus, now: Date): Promise<Summary> {
  const { layout } = contest
  const findings = await readFindings(contest, status)
  const summary = withoutSecrets(summarise(findings, now))
  const work = shown(summary, findings.seals, layout)
  await writeJson(layout.summary, summary)
  await writeAtomic(layout.leaderboard, leaderboard(summary))
  await writeAtomic(layout.html, reportPage(summary, work.length === 0 ? null : await packWork(work)))
  return summary
}

/** Returns the submissions that a report shows, in the order of its ranking. */
function shown({ ranking, round }: Summary, seals: ReadonlyMap<string, Seal>, layout: Contest['layout']): readonly SealedWork[] {
  return ranking.flatMap(({ name }) => {
    const seal = seals.get(name)
    return seal === undefined ? [] : [{ name, seal, archive: layout.sealed(round, name).archive }]
  })
}
