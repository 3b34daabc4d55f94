import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { writeAtomic, writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import type { Contest } from '../config/brief.ts'
import { countedJudging, isComplete } from '../judging/counted.ts'
import { type Mapping, readMapping } from '../judging/labels.ts'
import { maxAnswerBytes, type Scores } from '../judging/scores.ts'
import { standingOf } from '../judging/standing.ts'
import { withoutSecrets } from '../judging/without-secrets.ts'
import type { Findings } from '../ranking/findings.ts'
import { readChecks } from '../run/checks.ts'
import { type Seal, sealSchema } from '../seal/seal-schema.ts'
import { givenTo } from '../state/given.ts'
import type { ContestStatus } from '../state/status.ts'
import { withoutUnrunnable } from './could-not-run.ts'
import { reportPage } from './html.ts'
import { leaderboard } from './leaderboard.ts'
import { summarise } from './summarise.ts'
import type { Summary } from './summary.ts'

/** Characters of a review.md that a report shows. */
const maxReviewLength = 50_000

const scoresFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  judge: z.string(),
  judging: z.int(),
  task: z.string(),
  attempt: z.int(),
  scores: z.record(z.string(), z.record(z.string(), z.number())),
  reviews: z.record(z.string(), z.string()),
  comment: z.string().nullable(),
})

/** Makes the report of what a contest has come to, and writes its three files. */
export async function writeReport(contest: Contest, status: ContestStatus, now: Date): Promise<Summary> {
  const { layout, config } = contest
  const seals = new Map<string, Seal>()
  const checks = new Map<string, Awaited<ReturnType<typeof readChecks>>>()
  for (const { name } of config.participants) {
    const at = status.participants[name]
    if (at?.state !== 'sealed' && at?.state !== 'checked') continue
    const sealed = layout.sealed(status.round, name)
    seals.set(name, sealSchema.parse(JSON.parse(await readFile(sealed.seal, 'utf8'))))
    if (at.state === 'checked') checks.set(name, await readChecks(sealed.checks))
  }
  const given = { participant: givenTo('participant', contest), judge: givenTo('judge', contest) }
  const summary = withoutSecrets(
    summarise({ config, status, seals, checks: withoutUnrunnable(checks), given, ...(await readJudging(contest, status, seals)) }, now),
  )
  await writeJson(layout.summary, summary)
  await writeAtomic(layout.leaderboard, leaderboard(summary))
  await writeAtomic(layout.html, reportPage(summary))
  return summary
}

/** The scores of the judging that counts, if it was about this round; of judges whose state says that they scored, and no others. */
async function readJudging(
  { layout, config }: Contest,
  status: ContestStatus,
  seals: ReadonlyMap<string, Seal>,
): Promise<Pick<Findings, 'scores' | 'labels' | 'reviews' | 'judging'>> {
  const scores = new Map<string, Scores>()
  const labels = new Map<string, ReadonlyMap<string, string>>()
  const reviews = new Map<string, string>()
  const read = async (judging: number): Promise<Mapping | null> => {
    const mapping = await readMapping(layout.mapping(judging))
    const same = mapping?.round === status.round && mapping.submissions.every((each) => seals.get(each.participant)?.tree === each.tree)
    return same ? mapping : null
  }
  const counted = await countedJudging(status, read)
  const none = { number: status.judging, tasks: status.tasks, unfinished: null }
  if (counted === null) return { scores, labels, reviews, judging: none }
  const { judging, tasks, mapping } = counted
  for (const { judge, labels: given } of mapping.tasks) labels.set(judge, new Map(Object.entries(given)))
  for (const { name } of config.judges) {
    const task = mapping.tasks.find(({ judge }) => judge === name)
    if (standingOf(name, tasks).state !== 'scored' || task === undefined) continue
    const files = layout.task(judging, name, task.id)
    const file = scoresFileSchema.parse(JSON.parse(await readFile(files.scores, 'utf8')))
    if (file.judge !== name || file.judging !== judging || file.task !== task.id) continue
    scores.set(name, file)
    const review = await readRegular(files.review, maxAnswerBytes)
    if (review.ok) reviews.set(name, bounded(review.bytes.toString('utf8'), path.relative(layout.root, files.review)))
  }
  const complete = judging === status.judging && isComplete(tasks)
  return { scores, labels, reviews, judging: { number: judging, tasks, unfinished: complete ? null : status.judging } }
}

/** At most `maxReviewLength` characters of a review, and where the rest of it is. */
function bounded(review: string, file: string): string {
  if (review.length <= maxReviewLength) return review
  return `${review.slice(0, maxReviewLength)}…\n(${review.length - maxReviewLength} more characters are in ${file})`
}
