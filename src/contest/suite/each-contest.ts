import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import { takeLock } from '../../files/lock.ts'
import { type Archived, type ArchiveOptions, archiveContest } from '../archive/archive.ts'
import { cleanContest, type Removal } from '../cleanup/leftovers.ts'
import type { ContestDeps } from '../state/contest-deps.ts'
import { contestLock } from '../state/contest-lock.ts'
import { isLaidOut, refuseLink } from './config/lay-out-suite.ts'
import { readSuite, type Suite } from './config/read-suite.ts'
import { SuiteLayout } from './config/suite-layout.ts'
import { type RunStanding, runName, runsOf, standingsOf } from './runs.ts'

/** The result of a command for one contest of a suite. */
export interface ForOne<T> {
  /** The brief and the repeat: `parse-dates/2`. */
  readonly run: string
  readonly directory: string
  readonly state: 'done' | 'skipped' | 'failed'
  /** The reason why the contest was skipped or failed; null if it is done. */
  readonly why: string | null
  readonly result: T | null
}

export interface ForAll<T> {
  readonly schemaVersion: 1
  readonly suite: string
  readonly contests: readonly ForOne<T>[]
}

type Own = Pick<ContestDeps, 'paths' | 'env'>

/** `suite clean`: does what `contest clean` does for each contest of a suite. Contests that were never run are skipped. */
export async function cleanSuite(
  directory: string,
  deps: Own,
  { dryRun, only = [] }: { readonly dryRun: boolean; readonly only?: readonly string[] },
): Promise<ForAll<Removal>> {
  const act = ({ run }: RunStanding): Promise<Removal> => cleanContest(run.directory, deps, { dryRun })
  return await forEachContest(directory, deps, { command: dryRun ? null : 'paddock suite clean', only }, act)
}

export interface SuiteArchiveOptions extends Omit<ArchiveOptions, 'out'> {
  /** The directory for the archives. Archives that it already has are kept. */
  readonly out: string
  readonly only?: readonly string[]
  readonly archived?: (archive: Archived) => void
}

/**
 * `suite archive`: writes an archive of each contest, `BRIEF-REPEAT.tar`, into one directory. An archive that exists is complete, so it is not
 * written again.
 */
export async function archiveSuite(directory: string, deps: Own, options: SuiteArchiveOptions): Promise<ForAll<Archived>> {
  const { out: into, only = [], archived, ...rest } = options
  const { root } = new SuiteLayout(directory)
  // A suite may have come with a link in it.
  if (into.startsWith(`${root}${path.sep}`)) refuseLink(root, into)
  await mkdir(into, { recursive: true })
  return await forEachContest(directory, deps, { command: 'paddock suite archive', only }, async ({ run }) => {
    const out = path.join(into, `${run.brief.name}-${run.repeat}${options.format === 'tar' ? '.tar' : ''}`)
    const made = await archiveContest(run.directory, deps, { ...rest, out }).catch((error: unknown) => {
      if (error instanceof PaddockError && error.code === 'CONFLICT') return `${out} already exists`
      throw error
    })
    if (typeof made !== 'string') archived?.(made)
    return made
  })
}

/** Returns the results for contests of which some were run. `act` returns a text to skip a contest. `command`: null takes no lock. */
async function forEachContest<T extends object>(
  directory: string,
  { paths }: Own,
  { command, only }: { readonly command: string | null; readonly only: readonly string[] },
  act: (standing: RunStanding) => Promise<T | string>,
): Promise<ForAll<T>> {
  const suite = await readSuite(directory)
  const { layout, config } = suite
  const runs = runsOf(suite, only)
  refuseLink(layout.root, layout.runs)
  using _lock =
    command === null ? null : await takeLock({ file: await contestLock(layout, paths), what: `The suite in ${layout.root}`, command })
  const contests: ForOne<T>[] = []
  for (const standing of await standingsOf(runs)) contests.push(await forOne(suite, standing, act))
  if (contests.every(({ why }) => why === neverRun)) throw suiteNeverRun(suite)
  return { schemaVersion: 1, suite: config.name, contests }
}

const neverRun = 'it was never run'

/** Returns the error for commands that need contests that were run. */
export function suiteNeverRun({ layout }: Pick<Suite, 'layout'>): PaddockError {
  return new PaddockError('NOT_FOUND', `The suite in ${layout.root} was never run.`, {
    hint: `Run it first: paddock suite run ${shellWord(layout.root)}`,
  })
}

async function forOne<T extends object>(
  suite: Suite,
  standing: RunStanding,
  act: (standing: RunStanding) => Promise<T | string>,
): Promise<ForOne<T>> {
  const { run, status } = standing
  const about = { run: runName(run), directory: run.directory }
  try {
    refuseLink(suite.layout.root, run.directory)
    if (status === null || (await isLaidOut(suite, run.brief, run.directory)) === 'no')
      return { ...about, state: 'skipped', why: neverRun, result: null }
    const result = await act(standing)
    if (typeof result === 'string') return { ...about, state: 'skipped', why: result, result: null }
    return { ...about, state: 'done', why: null, result }
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    return { ...about, state: 'failed', why: messageOf(error), result: null }
  }
}
