import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MountWish } from '../../cell/plan/spec.ts'
import type { Contest } from '../config/brief.ts'
import { rubricText } from '../run/prompts.ts'
import type { Submission } from '../seal/delivered.ts'
import { unseal } from '../seal/unseal.ts'
import { type Disarmed, disarm } from './disarm.ts'
import { shuffled } from './shuffled.ts'

/** What all judges of a judging see, each under labels of its own. */
export interface LaidOut {
  /** BRIEF.md, RUBRIC.md and the like, read-only. */
  readonly texts: readonly MountWish[]
  /** By participant. */
  readonly submissions: ReadonlyMap<string, { readonly directory: string; readonly renamed: Disarmed['renamed'] }>
}

/**
 * Unpacks every submission once, disarmed, below `directory`, which must not exist and is the caller's to remove. Names of participants,
 * owners and times are not in it, and neither the names of the directories nor the order of their inodes tell whose they are.
 */
export async function layOut(directory: string, contest: Contest, submissions: readonly Submission[]): Promise<LaidOut> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const laid = new Map<string, { directory: string; renamed: Disarmed['renamed'] }>()
  for (const { participant, sealed, seal } of shuffled(submissions)) {
    const { names, renamed } = disarm(seal.files.map((each) => each.path))
    const at = path.join(directory, randomBytes(8).toString('hex'))
    await unseal(sealed, seal, at, (file) => names.get(file) ?? file)
    laid.set(participant, { directory: at, renamed })
  }
  const texts: [string, string | null][] = [
    ['BRIEF.md', contest.brief],
    ['JUDGE_BRIEF.md', contest.judgeBrief],
    ['RUBRIC.md', rubricText(contest.config.rubric)],
  ]
  const mounts: MountWish[] = []
  for (const [name, text] of texts) {
    if (text === null) continue
    await writeFile(path.join(directory, name), text)
    mounts.push({ source: path.join(directory, name), target: `/contest/${name}`, access: 'ro', reason: 'contest' })
  }
  return { texts: mounts, submissions: laid }
}
