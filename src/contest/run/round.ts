import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MountWish } from '../../cell/plan/spec.ts'
import { scanTree } from '../../credentials/scan/scan-tree.ts'
import { parseStored } from '../../files/stored-json.ts'
import type { Layout } from '../config/contest-layout.ts'
import type { RoleConfig } from '../config/contest-schema.ts'
import { type Workspace, workspaceMounts } from '../config/contest-workspace.ts'
import { sealSubmission } from '../seal/seal.ts'
import { boundsOf } from '../seal/seal-bounds.ts'
import { type Seal, sealSchema } from '../seal/seal-schema.ts'
import type { ParticipantStatus } from '../state/contest-state.ts'
import { givenTo } from '../state/given.ts'
import { isFailureToRun, type Outcome } from '../state/participant-outcome.ts'
import { type Scene, tell } from '../state/scene.ts'
import { limitsOf } from './contest-limits.ts'
import { outcomeOfSeal } from './outcome-of-run.ts'
import { type Again, pool } from './pool.ts'
import { participantPrompt } from './prompts.ts'
import { factsOf, type ReadyRole } from './role.ts'
import { runAgent } from './run-agent.ts'
import { removeSetUp } from './set-up-tree.ts'
import { mustSeal, settle } from './settle.ts'
import { layStart } from './start/lay-start.ts'

/** Returns true if a participant must be run: it has never run, it was killed or cancelled, or it failed to run and is to be retried. */
export function mustRun(status: ParticipantStatus, retry: boolean): boolean {
  if (status.state === 'pending' || status.state === 'running') return true
  if (status.state !== 'ended' || status.outcome === null) return false
  return status.outcome.kind === 'cancelled' || (retry && isFailureToRun(status.outcome))
}

/** Runs the ready participants, each in its own cell, and seals their work. Also completes interrupted seals of other participants. */
export async function runRound(scene: Scene, ready: readonly ReadyRole[]): Promise<void> {
  const { participants } = scene.contest.config
  await tell(scene, { type: 'step', step: 'participants', total: participants.length, open: ready.length })
  const limits = limitsOf(scene)
  const readyOf = (name: string): ReadyRole | undefined => ready.find((each) => each.name === name)
  const work = async (participant: RoleConfig): Promise<Again | undefined> => {
    const who = readyOf(participant.name)
    const start = who === undefined ? null : limits.start('participant', participant.name)
    const outcome = who === undefined || start === null ? null : await runOne(scene, who)
    start?.ended(scene.journal.participant(participant.name))
    const again = outcome === null ? null : await limits.again('participant', participant.name, outcome)
    await sealOne(scene, participant)
    return again ?? undefined
  }
  await pool(participants, scene.slots, scene.deps.signal, work, ({ name }) => readyOf(name)?.families ?? [])
  await limits.sayIfSpent()
}

async function runOne(scene: Scene, who: ReadyRole): Promise<Outcome> {
  const { contest, journal, deps } = scene
  const { layout, config } = contest
  const before = journal.participant(who.name)
  const attempt = freeAttempt(layout, journal.status.round, who.name, before.attempt + 1)
  const earlierCostUsd = (before.earlierCostUsd ?? 0) + (before.costUsd ?? 0)
  const files = layout.attempt(journal.status.round, who.name, attempt)
  await mkdir(files.out, { recursive: true })
  const start = await layStart(scene, who.name, files.out)
  await journal.setParticipant(who.name, {
    state: 'running',
    attempt,
    outcome: null,
    durationMs: null,
    usage: null,
    costUsd: null,
    earlierCostUsd,
    ...factsOf(who),
    given: givenTo('participant', contest),
  })
  await tell(scene, { type: 'started', role: 'participant', name: who.name, attempt })
  const mounts: MountWish[] = [
    { source: layout.brief, target: '/contest/BRIEF.md', access: 'ro', reason: 'contest' },
    ...(await outMounts(config.workspace, files.out)),
  ]
  if (contest.raw !== null) mounts.push({ source: contest.raw, target: '/contest/raw', access: 'ro', reason: 'contest' })
  const run = await runAgent(
    {
      contest,
      role: 'participant',
      who,
      prompt: participantPrompt(contest, start.words, contest.brought[who.name]?.prompt ?? null),
      mounts: [...mounts, ...start.mounts],
      masks: contest.masks,
      files,
      home: path.join(scene.scratch, 'homes', `participant-${who.name}-${attempt}`),
    },
    deps,
  )
  const { usage, costUsd } = run.summary
  await journal.setParticipant(who.name, { state: 'ended', outcome: run.outcome, durationMs: run.durationMs, usage, costUsd })
  await tell(scene, { type: 'ended', role: 'participant', name: who.name, outcome: run.outcome, durationMs: run.durationMs })
  return run.outcome
}

async function outMounts(workspace: Workspace | undefined, out: string): Promise<MountWish[]> {
  if (workspace !== undefined) return await workspaceMounts(workspace, out)
  return [{ source: out, target: '/contest/out', access: 'rw', reason: 'contest' }]
}

/**
 * Returns the number of the first attempt, starting from `from`, whose directory does not exist. Files that already exist there are not
 * this participant's work.
 */
function freeAttempt(layout: Layout, round: number, name: string, from: number): number {
  let attempt = from
  while (existsSync(layout.attempt(round, name, attempt).directory)) attempt++
  return attempt
}

/**
 * Seals the files of an attempt exactly as they are, then quarantines protected paths, then records the result. After a kill in between, a
 * complete seal counts, because the directory may have changed since. An attempt that is not sealed is still quarantined.
 */
async function sealOne(scene: Scene, { name }: RoleConfig): Promise<void> {
  const { contest, journal } = scene
  const status = journal.participant(name)
  const { round } = journal.status
  if (status.state !== 'ended' || status.outcome === null) return
  const seal = mustSeal(status, contest.config)
    ? ((await wholeSeal(scene, name, status.attempt)) ?? (await sealAttempt(scene, name, status.attempt)))
    : null
  await removeSetUp(contest, contest.layout.attempt(round, name, status.attempt).out)
  await settle(scene, round, name, status.attempt)
  if (seal === null) return
  const outcome = outcomeOfSeal(status.outcome, seal, contest.config.outputs.required)
  await journal.setParticipant(name, { state: 'sealed', outcome })
  await tell(scene, {
    type: 'sealed',
    name,
    outcome,
    files: seal.files.length,
    bytes: seal.bytes,
    dropped: seal.droppedCount,
  })
}

/** Returns the existing seal of this attempt; null if there is none. */
async function wholeSeal({ contest, journal }: Scene, name: string, attempt: number): Promise<Seal | null> {
  const file = contest.layout.sealed(journal.status.round, name).seal
  const text = await readFile(file, 'utf8').catch(() => null)
  const seal = text === null ? null : parseStored(file, text, sealSchema, 2)
  return seal?.attempt === attempt ? seal : null
}

async function sealAttempt(scene: Scene, name: string, attempt: number): Promise<Seal> {
  const { contest, journal, deps } = scene
  const { round } = journal.status
  const { posture } = journal.participant(name)
  return await sealSubmission(
    contest.layout.attempt(round, name, attempt).out,
    contest.layout.sealed(round, name),
    boundsOf(contest.config.outputs),
    {
      attempt,
      ...(posture === undefined ? {} : { posture }),
      now: deps.now(),
      scratch: path.join(scene.scratch, 'sealing', name),
      without: contest.config.setup?.keep ?? [],
      scan: (directory) => scanTree(directory, { inPlay: scene.inPlay }),
    },
  )
}
