import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import type { Posture } from '../../../base/posture.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { NotHashed, treeHash } from '../../../files/tree-hash.ts'
import { readContest } from '../../config/brief.ts'
import { isDirectory } from '../../config/contest-directories.ts'
import { Layout } from '../../config/contest-layout.ts'
import { isOwnFault } from '../../ranking/boards.ts'
import type { NotRanked, Ranked } from '../../ranking/contest-summary.ts'
import { totalScore } from '../../ranking/score.ts'
import { readStatus } from '../../state/contest-state.ts'
import { readSuite, type Suite } from '../config/read-suite.ts'
import { type Gathered, gather } from '../report/gather.ts'
import { type RunStanding, runsOf, standingsOf } from '../runs.ts'

/** One attempt of a participant at a brief. */
export interface Attempt {
  readonly brief: string
  readonly repeat: number
  readonly participant: string
  /** `lost`: it delivered nothing through its own fault. `failed`: it could not be run, or was not. */
  readonly state: 'delivered' | 'lost' | 'failed'
  readonly outcome: string
  /** Points of 100; null: nothing was checked, or nobody judged. */
  readonly checks: number | null
  readonly score: number | null
  readonly costUsd: number | null
  readonly durationMs: number | null
  readonly version: string | null
  /** The isolation level of its cell. Absent: not known. */
  readonly posture?: Posture
  readonly model: string | null
  /** The sealed work; null: there is none. */
  readonly work: { readonly directory: string; readonly round: number; readonly tree: string } | null
}

/** A brief of a run, with hashes of what its attempts were given and of what checked them. */
interface BriefFacts {
  readonly text: string
  readonly checks: string
}

/** A run of a suite that is compared with another one. */
export interface ComparedRun {
  /** The directory of the suite, and `@N` for round N. */
  readonly label: string
  readonly suite: Suite
  /** ISO 8601: the last change of its contests. */
  readonly at: string | null
  readonly attempts: readonly Attempt[]
  readonly briefs: ReadonlyMap<string, BriefFacts>
}

/**
 * Reads a run: the directory of a suite, or `DIRECTORY@N` for round N of its contests.
 * @throws PaddockError NOT_FOUND if nothing of it was run
 */
export async function readRun(label: string, only: readonly string[]): Promise<ComparedRun> {
  const { directory, round } = await placeOf(label)
  const suite = await readSuite(directory)
  const known = only.filter((name) => suite.briefs.some((each) => each.name === name))
  if (only.length > 0 && known.length === 0)
    throw new PaddockError('NOT_FOUND', `--only ${only.join(',')}: these briefs are not in ${label}.`)
  const standings = await standingsOf(runsOf(suite, known))
  const own = round === null ? standings : await Promise.all(standings.map((each) => inRound(each, round)))
  if (own.every(({ status }) => status === null))
    throw new PaddockError(
      'NOT_FOUND',
      round === null ? `The suite in ${suite.layout.root} was never run.` : `${label}: there is no round ${round}.`,
      {
        hint: round === null ? `Run it first: paddock suite run ${shellWord(directory)}` : 'Earlier rounds are kept from this version on',
      },
    )
  const gathered = await gather(own, new Map())
  const briefs = new Map<string, BriefFacts>()
  for (const { run, found } of gathered)
    if (found !== null && !briefs.has(run.brief.name)) briefs.set(run.brief.name, await factsOf(run.directory))
  const name = round === null ? suite.layout.root : `${suite.layout.root}@${round}`
  const at =
    own
      .flatMap(({ status }) => status?.updatedAt ?? [])
      .toSorted()
      .at(-1) ?? null
  return { label: name, suite, at, attempts: gathered.flatMap((each) => attemptsOf(each, suite)), briefs }
}

async function placeOf(label: string): Promise<{ readonly directory: string; readonly round: number | null }> {
  const [, directory, round] = /^(.+)@([1-9]\d{0,8})$/.exec(label) ?? []
  if (directory === undefined || (await isDirectory(label))) return { directory: label, round: null }
  return { directory, round: Number(round) }
}

async function inRound(standing: RunStanding, round: number): Promise<RunStanding> {
  if (standing.status === null || standing.status.round === round) return standing
  return { ...standing, status: await readStatus(new Layout(standing.run.directory), round) }
}

/** Returns the attempts of all participants of a suite in one contest. A contest that was not run counts as failed for all. */
function attemptsOf({ run, found }: Gathered, { config }: Suite): Attempt[] {
  return config.contest.participants.map(({ name }): Attempt => {
    const is = (each: { readonly name: string }): boolean => each.name === name
    const about = { brief: run.brief.name, repeat: run.repeat, participant: name }
    const of = found?.results.delivered.find(is)
    if (of !== undefined && found !== null) {
      const work = { directory: run.directory, round: found.round, tree: of.tree }
      const checks = of.checks.share === null ? null : 100 * of.checks.share
      return { ...about, state: 'delivered', outcome: 'delivered', checks, score: totalScore(of.judgements), ...usedBy(of), work }
    }
    const not = found?.results.notRanked.find(is)
    const isLost = not !== undefined && isOwnFault(not)
    const nothing = {
      checks: isLost && found?.hasChecks === true ? 0 : null,
      score: isLost && config.contest.judges.length > 0 ? 0 : null,
      work: null,
    }
    if (not === undefined) return { ...about, state: 'failed', outcome: 'not-run', ...nothing, ...usedBy(null) }
    return { ...about, state: isLost ? 'lost' : 'failed', outcome: not.outcome?.kind ?? 'not-run', ...nothing, ...usedBy(not) }
  })
}

function usedBy(of: Ranked | NotRanked | null): Pick<Attempt, 'costUsd' | 'durationMs' | 'version' | 'posture' | 'model'> {
  return {
    costUsd: of?.costUsd ?? null,
    durationMs: of?.durationMs ?? null,
    version: of?.version ?? null,
    ...(of?.posture === undefined ? {} : { posture: of.posture }),
    model: of?.tokens?.model ?? of?.model ?? null,
  }
}

/** Returns hashes of a contest's brief, and of its checks with all files that they read. */
async function factsOf(directory: string): Promise<BriefFacts> {
  const { brief, config } = await readContest(directory)
  const hash = createHash('sha256').update(JSON.stringify(config.checks))
  const read = config.checks.flatMap(({ files, inputs }) => [files, inputs]).filter((each) => each !== undefined)
  for (const each of new Set(read)) hash.update(await treeHash(path.join(directory, each), mostRead).catch(unread))
  return { text: createHash('sha256').update(brief).digest('hex'), checks: hash.digest('hex') }
}

/** Enough for the files of checks. Larger ones count as different in each run. */
const mostRead = { maxEntries: 200_000, maxBytes: 8 * 1024 ** 3 }

function unread(error: unknown): string {
  if (error instanceof NotHashed) return randomUUID()
  throw error
}
