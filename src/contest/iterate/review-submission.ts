import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { redact } from '../../base/errors.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import { writeAtomic, writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { openDirectory } from '../diff/side.ts'
import { changesDiff } from '../judging/shown-changes.ts'
import { limitsOf } from '../run/contest-limits.ts'
import { type Again, pool } from '../run/pool.ts'
import { reviewerPrompt } from '../run/prompts.ts'
import type { ReadyRole } from '../run/role.ts'
import { type AgentRun, runAgent } from '../run/run-agent.ts'
import { sealOf } from '../run/start/carry.ts'
import { disarm } from '../seal/disarm.ts'
import type { SealRef } from '../seal/read-seal.ts'
import { unseal } from '../seal/unseal.ts'
import { highest } from '../state/contest-state.ts'
import type { Outcome } from '../state/participant-outcome.ts'
import { type Scene, tell } from '../state/scene.ts'

const maxReviewBytes = 128 * 1024

/** The contents of consultation.json: the reviewers of each participant's work, with their outcomes. */
export interface Consultation {
  readonly schemaVersion: 1
  readonly consultation: number
  readonly participants: readonly {
    readonly participant: string
    readonly round: number
    readonly tree: string
    /** The file with all reviews of this participant's work; null: there are no reviews. */
    readonly reviews: string | null
    readonly reviewers: readonly {
      readonly name: string
      /** True: the reviewer wrote a review. */
      readonly reviewed: boolean
      readonly outcome: Outcome
      readonly durationMs: number
      readonly costUsd: number | null
    }[]
  }[]
}

interface Review {
  readonly work: SealRef
  readonly who: ReadyRole
  readonly text: string | null
  readonly run: AgentRun
}

/** Has every reviewer review every piece of work, each in its own cell without names or other reviews. */
export async function review(scene: Scene, reviewers: readonly ReadyRole[], works: readonly SealRef[]): Promise<Consultation> {
  const { contest } = scene
  const number = (await highest(contest.layout.consultations)) + 1
  const directory = path.join(scene.scratch, 'consulting')
  const tasks = works.flatMap((work) => reviewers.map((who) => ({ work, who })))
  const reviews: Review[] = []
  const limits = limitsOf(scene)
  try {
    const laid = new Map<string, Laid>()
    for (const work of works) laid.set(work.participant, await layDown(scene, work, directory))
    const one = async ({ work, who }: (typeof tasks)[number]): Promise<Again | undefined> => {
      const start = limits.start('reviewer', who.name)
      const of = laid.get(work.participant)
      if (start === null || of === undefined) return undefined
      const done = await ask(scene, number, { work, who }, of, directory)
      start.ended({ ...done.run.summary, durationMs: done.run.durationMs })
      const again = await limits.again('reviewer', who.name, done.run.outcome)
      if (again === null) reviews.push(done)
      return again ?? undefined
    }
    await pool(tasks, scene.slots, scene.deps.signal, one, ({ who }) => who.families)
    await limits.sayIfSpent()
  } finally {
    await removeTree(directory)
  }
  return await collected(scene, number, works, reviews)
}

interface Laid {
  readonly directory: string
  readonly someRenamed: boolean
  /** A patch against the files that all participants started with; null: they started with nothing. */
  readonly changes: string | null
}

/** Unpacks the work of one participant. A cell can read the source paths of its mounts, so the path contains no name. */
async function layDown(scene: Scene, work: SealRef, directory: string): Promise<Laid> {
  const seal = await sealOf(scene, work)
  const { names, renamed } = disarm(seal.files.map((each) => each.path))
  const to = path.join(directory, randomBytes(8).toString('hex'))
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const nameOf = (file: string): string => names.get(file) ?? file
  const { config, layout } = scene.contest
  await unseal(layout.sealed(work.round, work.participant), seal, to, nameOf)
  if (config.start === undefined) return { directory: to, someRenamed: renamed.length > 0, changes: null }
  await using begun = await openDirectory(path.join(layout.root, config.start))
  const changes = path.join(directory, `${randomBytes(8).toString('hex')}.diff`)
  const laid = { placeOf: (file: string) => path.join(to, nameOf(file)), nameOf, redact: (text: string) => text }
  await writeFile(changes, await changesDiff(begun, seal, laid))
  return { directory: to, someRenamed: renamed.length > 0, changes }
}

async function ask(
  scene: Scene,
  number: number,
  { work, who }: { readonly work: SealRef; readonly who: ReadyRole },
  laid: Laid,
  directory: string,
): Promise<Review> {
  const { contest, deps } = scene
  const files = contest.layout.consultation(number).reviewer(work.participant, who.name)
  const outbox = path.join(directory, `outbox-${randomBytes(8).toString('hex')}`)
  await mkdir(outbox)
  const mounts: MountWish[] = [
    { source: contest.layout.brief, target: '/contest/BRIEF.md', access: 'ro', reason: 'contest' },
    { source: laid.directory, target: '/contest/submission', access: 'ro', reason: 'contest' },
    { source: outbox, target: '/contest/outbox', access: 'rw', reason: 'contest' },
  ]
  if (laid.changes !== null) mounts.push({ source: laid.changes, target: '/contest/changes.diff', access: 'ro', reason: 'contest' })
  if (contest.raw !== null) mounts.push({ source: contest.raw, target: '/contest/raw', access: 'ro', reason: 'contest' })
  await tell(scene, { type: 'started', role: 'reviewer', name: who.name, attempt: 1 })
  const run = await runAgent(
    {
      contest,
      role: 'reviewer',
      who,
      prompt: reviewerPrompt({ hasRaw: contest.raw !== null, hasChanges: laid.changes !== null, someRenamed: laid.someRenamed }),
      mounts,
      masks: contest.masks,
      files,
      home: path.join(scene.scratch, 'homes', `reviewer-${randomBytes(8).toString('hex')}`),
    },
    deps,
  )
  await tell(scene, { type: 'ended', role: 'reviewer', name: who.name, outcome: run.outcome, durationMs: run.durationMs })
  const read = await readRegular(path.join(outbox, 'review.md'), maxReviewBytes)
  // A review that an agent only prints counts as well, but not the output of a program.
  const said = who.run.adapter.name === 'command' ? '' : run.summary.resultText
  const text = redact(read.ok ? read.bytes.toString('utf8') : said).trim()
  const problem = run.outcome.message ?? (read.ok ? 'its review is empty' : `review.md is ${read.why.replaceAll('-', ' ')}`)
  await tell(scene, { type: 'reviewed', name: who.name, why: text === '' ? problem : null })
  return { work, who, text: text === '' ? null : text.slice(0, maxReviewBytes), run }
}

/** Writes all reviews of each piece of work into one file, without the names of reviewers, and then the record of the consultation. */
async function collected(scene: Scene, number: number, works: readonly SealRef[], reviews: readonly Review[]): Promise<Consultation> {
  const { contest } = scene
  const at = contest.layout.consultation(number)
  const participants: Consultation['participants'][number][] = []
  for (const work of works) {
    const own = reviews.filter((each) => each.work === work)
    const texts = own.flatMap(({ text }) => (text === null ? [] : [text]))
    const file = at.reviews(work.participant)
    if (texts.length > 0) await writeAtomic(file, texts.map((text, index) => `# Review ${index + 1}\n\n${text}\n`).join('\n'))
    participants.push({
      ...work,
      reviews: texts.length === 0 ? null : path.relative(contest.layout.root, file),
      reviewers: own.map(({ who, text, run }) => ({
        name: who.name,
        reviewed: text !== null,
        outcome: run.outcome,
        durationMs: run.durationMs,
        costUsd: run.summary.costUsd,
      })),
    })
  }
  const consultation: Consultation = { schemaVersion: 1, consultation: number, participants }
  await writeJson(at.record, consultation)
  return consultation
}
