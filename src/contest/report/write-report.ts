import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { writeAtomic, writeJson } from '../../files/atomic.ts'
import type { Contest } from '../brief.ts'
import { readChecks } from '../checks.ts'
import { readMapping } from '../judging/labels.ts'
import type { Scores } from '../judging/scores.ts'
import { type Seal, sealSchema } from '../seal/seal-schema.ts'
import type { ContestStatus } from '../status.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { reportPage } from './html.ts'
import { leaderboard } from './leaderboard.ts'
import { summarise } from './summarise.ts'
import type { Summary } from './summary.ts'

const scoresFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  judge: z.string(),
  judging: z.int(),
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
  const { scores, labels } = await readJudging(contest, status, seals)
  const summary = withoutSecrets(summarise({ config, status, seals, checks, scores, labels }, now))
  await writeJson(layout.summary, summary)
  await writeAtomic(layout.leaderboard, leaderboard(summary))
  await writeAtomic(layout.html, reportPage(summary))
  return summary
}

/** The scores of the newest judging, where it was about this round; of judges whose state says that they scored, and no others. */
async function readJudging(
  { layout, config }: Contest,
  status: ContestStatus,
  seals: ReadonlyMap<string, Seal>,
): Promise<{ scores: Map<string, Scores>; labels: Map<string, ReadonlyMap<string, string>> }> {
  const scores = new Map<string, Scores>()
  const labels = new Map<string, ReadonlyMap<string, string>>()
  const mapping = status.judging === 0 ? null : await readMapping(layout.mapping(status.judging))
  const same = mapping?.round === status.round && mapping.submissions.every((each) => seals.get(each.participant)?.tree === each.tree)
  if (mapping === null || !same) return { scores, labels }
  for (const [judge, given] of Object.entries(mapping.judges)) labels.set(judge, new Map(Object.entries(given)))
  for (const { name } of config.judges) {
    if (status.judges[name]?.state !== 'scored') continue
    const file = scoresFileSchema.parse(JSON.parse(await readFile(layout.judge(status.judging, name).scores, 'utf8')))
    if (file.judge === name && file.judging === status.judging) scores.set(name, file)
  }
  return { scores, labels }
}
