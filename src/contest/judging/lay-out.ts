import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Contest } from '../brief.ts'
import { escapeName } from '../names.ts'
import { rubricText } from '../prompts.ts'
import type { Seal } from '../seal/seal-schema.ts'
import { unseal } from '../seal/unseal.ts'
import { disarm, type Renamed } from './disarm.ts'
import type { Mapping } from './labels.ts'

export interface Submission {
  readonly participant: string
  readonly sealedOut: string
  readonly seal: Seal
}

/**
 * Lays out what one judge sees: the briefs, the rubric, and a copy of each submission under its label. Names of
 * participants, owners and times are not in it. An earlier inbox that was interrupted is thrown away first.
 */
export async function layInbox(inbox: string, contest: Contest, mapping: Mapping, submissions: readonly Submission[]): Promise<Renamed[]> {
  await rm(inbox, { recursive: true, force: true })
  await mkdir(path.join(inbox, 'submissions'), { recursive: true })
  const renamed: Renamed[] = []
  // By label, so that not even the order of inodes follows the participants.
  for (const { label, participant } of mapping.submissions) {
    const submission = submissions.find((each) => each.participant === participant)
    if (submission === undefined) throw new Error(`no submission for label ${label}`)
    const names = disarm(submission.seal.files.map((each) => each.path))
    for (const [from, to] of names) renamed.push({ label, from: escapeName(from), to: escapeName(to) })
    await unseal(submission.sealedOut, submission.seal, path.join(inbox, 'submissions', label), (file) => names.get(file) ?? file)
  }
  await writeFile(path.join(inbox, 'BRIEF.md'), contest.brief)
  if (contest.judgeBrief !== null) await writeFile(path.join(inbox, 'JUDGE_BRIEF.md'), contest.judgeBrief)
  await writeFile(path.join(inbox, 'RUBRIC.md'), rubricText(contest.config.rubric))
  return renamed
}
