import { randomBytes } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findAdapter } from '../../adapters/find-adapter.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import type { Contest } from '../config/brief.ts'
import { openDirectory } from '../diff/side.ts'
import { rubricText } from '../run/prompts.ts'
import type { Submission } from '../seal/delivered.ts'
import { type Disarmed, disarm } from '../seal/disarm.ts'
import { noTime, unseal } from '../seal/unseal.ts'
import { redacted } from './identity/find-identity.ts'
import { type IdentityRecord, lookForIdentity, redactedPaths, type Told } from './identity/identity-record.ts'
import { identityWords } from './identity/telling-words.ts'
import type { Mapping, Task } from './mapping.ts'
import { findOrders, withoutOrders } from './orders/find-orders.ts'
import { lookForOrders, type OrdersRecord, type ToldOrders } from './orders/orders-record.ts'
import { plantOrder } from './plant-order.ts'
import { changedIn, changesDiff } from './shown-changes.ts'
import { shuffled } from './shuffled.ts'

/** A submission that is laid out for judges to read. */
export interface LaidWork {
  readonly directory: string
  readonly renamed: Disarmed['renamed']
  /** The path of a patch against the files that all participants started with; null: they started with nothing. */
  readonly changes: string | null
}

/** The files for all judges of a judging. Each judge sees them under its own labels. */
export interface LaidOut {
  /** Read-only mounts of BRIEF.md, RUBRIC.md and the like. */
  readonly texts: readonly MountWish[]
  /** Text in each submission that reveals its author, by participant. Empty if the contest ignores identity. */
  readonly identity: IdentityRecord
  /** Orders to the judge in each submission, by participant. Empty if the contest ignores them. */
  readonly orders: OrdersRecord
  /** Returns the work under a label of a task. Throws if the work was not laid out. */
  work(task: Task, label: string): LaidWork
}

/**
 * Unpacks every submission once, disarmed, into `directory`, which must not exist and must be removed by the caller. Also makes the copies
 * for controls. The result does not contain names of participants, owners or times. Neither the names of the directories nor
 * the order of their inodes reveal the author.
 */
export async function layOut(
  directory: string,
  contest: Contest,
  submissions: readonly Submission[],
  { tasks, identity, orders }: Pick<Mapping, 'tasks' | 'identity' | 'orders'>,
): Promise<LaidOut> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const laid = new Map<string, LaidWork>()
  const words = identityWords(contest.config, [contest.brief, contest.judgeBrief], findAdapter)
  const isRedacted = identity === 'redact'
  const told: Record<string, Told> = {}
  const ordered: Record<string, ToldOrders> = {}
  const needed = new Set(
    tasks.flatMap(({ labels, altered }) => Object.keys(labels).map((label) => keyOf(labels[label] ?? '', altered[label]))),
  )
  // A submission that is shown twice gets two directories, because equal inode numbers would reveal that both are the same work.
  const copies = submissions.flatMap((submission) => [
    { submission, altered: undefined },
    ...(['planted', 'again'] as const).flatMap((altered) =>
      needed.has(keyOf(submission.participant, altered)) ? [{ submission, altered }] : [],
    ),
  ])
  const { start } = contest.config
  await using begun = start === undefined ? null : await openDirectory(path.join(contest.layout.root, start))
  for (const { submission, altered } of shuffled(copies)) {
    const { participant, sealed, seal } = submission
    const files = seal.files.map((each) => each.path)
    // Files that all participants started with do not identify any of them.
    const own = begun === null ? new Set(files) : changedIn(begun, seal)
    const shown = isRedacted ? redactedPaths(files, words, (each) => begun?.files.has(each) === true) : new Map<string, string>()
    const { names, renamed } = disarm(files.map((file) => shown.get(file) ?? file))
    const nameOf = (file: string): string => names.get(shown.get(file) ?? file) ?? shown.get(file) ?? file
    const at = path.join(directory, randomBytes(8).toString('hex'))
    const placeOf = (file: string): string => path.join(at, nameOf(file))
    await unseal(sealed, seal, at, nameOf)
    const ownFiles = seal.files.filter((each) => own.has(each.path))
    // Before names are redacted and before the order of a control is planted.
    if (orders !== 'ignore') {
      const found = await lookForOrders(ownFiles, placeOf, orders === 'redact')
      if (altered === undefined) ordered[participant] = found
    }
    if (identity !== 'ignore') {
      const found = await lookForIdentity(ownFiles, placeOf, { words, isRedacted })
      if (altered === undefined) told[participant] = found
    }
    if (altered === 'planted') await plantOrder(at, submissions.indexOf(submission))
    let changes: string | null = null
    if (begun !== null) {
      changes = path.join(directory, `${randomBytes(8).toString('hex')}.diff`)
      const redact = (text: string): string => {
        const obeyable = orders === 'redact' ? withoutOrders(text, findOrders('', text)) : text
        return isRedacted ? redacted(obeyable, words) : obeyable
      }
      await writeFile(changes, await changesDiff(begun, seal, { placeOf, nameOf, redact }))
      await utimes(changes, noTime, noTime)
    }
    laid.set(keyOf(participant, altered), { directory: at, renamed, changes })
  }
  const nothing = { directory: path.join(directory, randomBytes(8).toString('hex')), renamed: [], changes: null }
  await mkdir(nothing.directory)
  await utimes(nothing.directory, noTime, noTime)
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
  return {
    texts: mounts,
    identity: { schemaVersion: 1, identity, submissions: told },
    orders: { schemaVersion: 1, orders, submissions: ordered },
    work({ labels, altered }, label) {
      if (altered[label] === 'empty') return nothing
      const work = laid.get(keyOf(labels[label] ?? '', altered[label]))
      if (work === undefined) throw new Error(`no submission for label ${label}`)
      return work
    },
  }
}

function keyOf(participant: string, altered: string | undefined): string {
  return `${participant} ${altered ?? ''}`
}
