import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import { findAdapter } from '../../../adapters/find-adapter.ts'
import { PaddockError } from '../../../base/errors.ts'
import { writeJson } from '../../../files/atomic.ts'
import { kindBelow } from '../../../files/kind-below.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { asksHash, contestAsks } from '../../config/asked-rights.ts'
import { readContest } from '../../config/brief.ts'
import { Layout } from '../../config/contest-layout.ts'
import { contestSchema, type RoleConfig } from '../../config/contest-schema.ts'
import { judgesWithWork } from '../../config/sense.ts'
import type { WhatCounts } from '../../ranking/boards.ts'
import { evidenceOn, type JudgeEvidence } from '../../ranking/judge-cards.ts'
import { readFindings } from '../../report/read-findings.ts'
import { deliveredOf, workOf } from '../../report/summarise.ts'
import { readSeal } from '../../seal/read-seal.ts'
import { runContest } from '../../stages/run-contest.ts'
import { type ContestStatus, fitted, readStatus } from '../../state/contest-state.ts'
import { mustAsk } from '../../state/counted-judging.ts'
import { fingerprintOf } from '../../state/fingerprint.ts'
import { isLaidOut, layOut, refuseLink } from '../config/lay-out-suite.ts'
import type { GoodBrief, Suite } from '../config/read-suite.ts'
import type { SuiteRun } from '../runs.ts'
import { depsOf, type Shared, type SuiteScene } from '../suite-stage.ts'
import { isOwnRun, rememberRun } from '../trust-suite.ts'
import type { Attempt, ComparedRun } from './compared-run.ts'

/** The names that both works have in their contest. Judges never see them. */
export const sides = ['base', 'new'] as const
export type Side = (typeof sides)[number]

/** Two attempts at a brief that are compared, one of each run. */
export interface AttemptPair {
  readonly brief: string
  /** The number of the pair among those of the same brief and participant; starts at 1. */
  readonly number: number
  /** The participant's name in each run. */
  readonly participants: Readonly<Record<Side, string>>
  readonly attempts: Readonly<Record<Side, Attempt>>
}

/**
 * Returns pairs of attempts at one brief, in the order of the repeats. If one run has fewer repeats, its works are compared several times.
 * Attempts that failed for reasons other than the work are left out, and with `strength` also those that delivered nothing.
 */
export function pairsOf(
  brief: string,
  participants: AttemptPair['participants'],
  attempts: Readonly<Record<Side, readonly Attempt[]>>,
  what: WhatCounts,
): AttemptPair[] {
  const counts = ({ state }: Attempt): boolean => state === 'delivered' || (state === 'lost' && what === 'delivered')
  const ended = (side: Side): readonly Attempt[] => attempts[side].filter(counts)
  const [base, now] = [ended('base'), ended('new')]
  if (base.length === 0 || now.length === 0) return []
  return Array.from({ length: Math.max(base.length, now.length) }, (_, place) => ({
    brief,
    number: place + 1,
    participants,
    attempts: { base: base[place % base.length] as Attempt, new: now[place % now.length] as Attempt },
  }))
}

/** Returns whether judges must see a pair: equal works have no difference, and nothing has no points. */
export function needsJudges({ attempts }: AttemptPair): boolean {
  const { base, new: now } = attempts
  return (base.work !== null || now.work !== null) && base.work?.tree !== now.work?.tree
}

/** A contest in which judges see both works of a pair, or the only one. It runs no participant and no check. */
export interface SideBySide {
  readonly name: string
  readonly pair: AttemptPair
  readonly brief: GoodBrief
  readonly directory: string
}

/**
 * Returns the contest of a pair. Its directory depends only on its content, so a pair that was judged is not judged again. Null: the new suite
 * no longer has the brief.
 */
export function contestOfPair(
  pair: AttemptPair,
  base: Pick<ComparedRun, 'suite'>,
  { suite }: Pick<ComparedRun, 'suite'>,
  pooled: boolean,
): SideBySide | null {
  const own = suite.briefs.find(({ name }) => name === pair.brief)
  if (own === undefined || own.problem !== null) return null
  const roleIn = ({ config }: Suite, name: string): RoleConfig | undefined => config.contest.participants.find((each) => each.name === name)
  const roles = sides.flatMap((side) => {
    const role = roleIn(side === 'base' ? base.suite : suite, pair.participants[side])
    if (pair.attempts[side].work === null || role === undefined) return []
    const { agent, model, family, families } = role
    // It is never run, but a contest needs one.
    const command = role.command === undefined ? undefined : ['true']
    return [
      Object.fromEntries(
        Object.entries({ name: side, agent, model, family, families, command }).filter(([, value]) => value !== undefined),
      ),
    ]
  })
  const { participants: _, judges, rubric, start, mask, judging, timeouts, waitForLimits, posture, backend } = own.composed.contest
  const { comparisons: __, ...asked } = (judging ?? {}) as Record<string, unknown>
  const isPooled = pooled && asked['controls'] === true
  const copies = own.composed.copies.filter(({ key }) => key.startsWith('contest.judges[') || key.endsWith('start'))
  const isThere = (at: unknown): boolean =>
    typeof at === 'string' && (/^raw(\/|$)/.test(at) || copies.some(({ from, path: below }) => at.startsWith(path.join(from, below))))
  const contest = withoutUndefined({
    schemaVersion: 1,
    name: pair.brief,
    participants: roles,
    judges,
    rubric,
    start,
    mask: Array.isArray(mask) ? mask.filter(isThere) : undefined,
    judging: { ...asked, mode: 'rubric', ...(isPooled ? { controls: 1 } : {}) },
    timeouts,
    waitForLimits,
    posture,
    backend,
  })
  const brief: GoodBrief = { ...own, composed: { contest, copies } }
  const key = hash('sha256', JSON.stringify([stringify(contest), own.texts, sides.map((side) => pair.attempts[side].work?.tree ?? null)]))
  const directory = path.join(suite.layout.comparisons, 'contests', pair.brief, key.slice(0, 16))
  return { name: `${pair.brief}/${pair.number} ${pair.participants.new}`, pair, brief, directory }
}

function withoutUndefined(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}

/** Returns the number of judges that must still be asked in a contest. */
export async function openJudges({ brief, directory }: SideBySide): Promise<number> {
  const config = contestSchema.parse(brief.composed.contest)
  const tasks = (await readStatus(new Layout(directory)))?.tasks ?? []
  return judgesWithWork(config, findAdapter).filter((judge) => mustAsk(judge, tasks, false)).length
}

/** Has the judges judge a contest, or continues it. */
export async function judgeSideBySide(scene: SuiteScene, one: SideBySide, shared: Shared, retry: boolean): Promise<null> {
  const { suite, deps } = scene
  refuseLink(suite.layout.root, one.directory)
  await prepare(scene, one)
  const agreed = asksHash(contestAsks(contestSchema.parse(one.brief.composed.contest), {}))
  const own = { ...depsOf(scene, one.name), isTrusted: async (_: string, sha256: string) => sha256 === agreed }
  deps.progress({ type: 'run-started', run: one.name })
  await runContest(one.directory, own, { shared, retry, command: 'paddock suite compare' })
  return null
}

/** Writes a contest with copies of both works, if it is not there. Its status is written last. */
async function prepare({ suite, deps }: SuiteScene, { brief, directory, pair }: SideBySide): Promise<void> {
  const run: SuiteRun = { brief, repeat: 1, directory }
  const layout = new Layout(directory)
  const isOwn = (await isLaidOut({ brought: {} }, brief, directory)) === 'same' && (await isOwnRun(suite, run, deps.paths))
  if (!isOwn) {
    await layOut(suite, brief, directory)
    await rememberRun(suite, run, deps.paths)
  }
  if ((await readStatus(layout)) !== null) return
  await removeTree(layout.rounds)
  for (const side of sides) if (pair.attempts[side].work !== null) await copySeal(layout, side, pair.attempts[side])
  const contest = await readContest(directory)
  const delivered = { kind: 'delivered', exitCode: 0, message: null, hint: null, resetsAt: null } as const
  const sealed = { state: 'sealed', attempt: 1, outcome: delivered, durationMs: null, usage: null, costUsd: null } as const
  await writeJson(layout.status, {
    schemaVersion: 2,
    contest: contest.config.name,
    round: 1,
    fingerprint: fingerprintOf(contest),
    judging: 0,
    participants: Object.fromEntries(contest.config.participants.map(({ name }) => [name, sealed])),
    tasks: [],
    updatedAt: deps.now().toISOString(),
  } satisfies ContestStatus)
}

async function copySeal(to: Layout, side: Side, { participant, work }: Attempt): Promise<void> {
  if (work === null) return
  const from = new Layout(work.directory).sealed(work.round, participant)
  const at = to.sealed(1, side)
  await mkdir(at.directory, { recursive: true })
  const seal = await readSeal(new Layout(work.directory), work.round, participant)
  // More than the files of a seal and their headers in an archive can have.
  const most = seal === null ? 0 : 2 * seal.bytes + 8_192 * (seal.files.length + 1)
  for (const [file, limit] of [
    ['archive', most],
    ['seal', largestSeal],
  ] as const) {
    const facts = kindBelow(work.directory, from[file]) === 'file' ? lstatSync(from[file]) : null
    if (facts?.isFile() !== true || facts.size > limit)
      throw new PaddockError('FILES_FAILED', `${from[file]} is missing, is not a file, or is larger than its seal says.`, {
        hint: 'Restore it, or run the brief again with --fresh',
      })
    await rm(at[file], { force: true })
    await copyFile(from[file], at[file])
  }
}

const largestSeal = 64 * 1024 ** 2

/** What the judges of a contest said. */
export interface Judged {
  readonly judge: string
  readonly points: Readonly<Partial<Record<Side, number>>>
  readonly reasons: Readonly<Partial<Record<Side, string>>>
}

/** The answers about one pair, and the evidence on its judges. */
export interface JudgedPair {
  readonly judged: readonly Judged[]
  readonly evidence: ReadonlyMap<string, JudgeEvidence>
  readonly costUsd: number
}

/** Reads the answers of the judges in a contest; null: it was not judged. */
export async function readSideBySide({ directory, name }: SideBySide): Promise<JudgedPair | null> {
  const status = await readStatus(new Layout(directory))
  if (status === null) return null
  const contest = await readContest(directory)
  const findings = await readFindings(contest, fitted(status, contest.config))
  const { delivered, notRanked } = deliveredOf(findings)
  const work = workOf(name, delivered, [], notRanked)
  const evidence = new Map(contest.config.judges.map((each) => [each.name, evidenceOn(each.name, findings, work, directory)]))
  const costUsd = status.tasks.reduce((sum, each) => sum + (each.costUsd ?? 0) + (each.earlierCostUsd ?? 0), 0)
  const judged = contest.config.judges.map(({ name: judge }): Judged => {
    const given = delivered.flatMap((row) =>
      row.judgements.filter((each) => each.judge === judge).map((each) => ({ side: row.name as Side, ...each })),
    )
    return {
      judge,
      points: Object.fromEntries(given.map(({ side, score }) => [side, score])),
      reasons: Object.fromEntries(given.flatMap(({ side, review }) => (review === null ? [] : [[side, review]]))),
    }
  })
  return { judged, evidence, costUsd }
}
