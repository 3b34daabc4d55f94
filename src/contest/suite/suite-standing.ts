import type { Paths } from '../../base/paths.ts'
import { isHeld } from '../../files/lock.ts'
import { contestLock } from '../state/contest-lock.ts'
import type { ContestStatus } from '../state/contest-state.ts'
import { readSuite } from './config/read-suite.ts'
import { type RunStanding, runName, runsOf, standingsOf } from './runs.ts'

/** The progress of one contest, without scores. */
export interface ContestProgress extends Pick<RunStanding, 'state' | 'open' | 'all'> {
  /** The brief and the repeat: `parse-dates/2`. */
  readonly run: string
  readonly directory: string
  readonly tags: readonly string[]
  /** Whether a process works on it. */
  readonly atWork: boolean
  /** The cost of its round so far, in US dollars; null: no cost is known. */
  readonly costUsd: number | null
}

export interface SuiteStanding {
  readonly schemaVersion: 1
  readonly suite: string
  /** Whether a process works on the whole suite. */
  readonly atWork: boolean
  readonly contests: readonly ContestProgress[]
  /** Briefs that cannot be run. */
  readonly broken: readonly { readonly path: string; readonly problem: string }[]
}

/** `suite status`: returns the progress of each contest of a suite. Takes no lock. */
export async function suiteStanding(directory: string, paths: Pick<Paths, 'state'>): Promise<SuiteStanding> {
  const suite = await readSuite(directory)
  const contests: ContestProgress[] = []
  for (const { run, state, open, all, status } of await standingsOf(runsOf(suite)))
    contests.push({
      run: runName(run),
      directory: run.directory,
      tags: run.brief.tags,
      state,
      atWork: await isAtWork(run.directory, paths),
      open,
      all,
      costUsd: costOf(status),
    })
  return {
    schemaVersion: 1,
    suite: suite.config.name,
    atWork: await isAtWork(suite.layout.root, paths),
    contests,
    broken: suite.briefs.flatMap(({ path, problem }) => (problem === null ? [] : [{ path, problem }])),
  }
}

async function isAtWork(root: string, paths: Pick<Paths, 'state'>): Promise<boolean> {
  // A contest that was never run has no directory.
  const lock = await contestLock({ root }, paths).catch(() => null)
  return lock !== null && (await isHeld(lock))
}

function costOf(status: ContestStatus | null): number | null {
  const costs = [...Object.values(status?.participants ?? {}), ...(status?.tasks ?? [])].flatMap(({ costUsd }) => costUsd ?? [])
  return costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0)
}
