import { existsSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { removeTree } from '../../files/remove-tree.ts'
import type { FleetData } from '../data-directory.ts'
import type { FleetDatabase } from '../store/database.ts'
import type { EventLog } from '../store/event-log.ts'
import type { EndedJob, Jobs } from '../store/job-records.ts'

/** The retention limits for a fleet's events and ended jobs. */
export interface Retention {
  /** The time that a job is kept after its end, in milliseconds; null means forever. */
  readonly ageMs: number | null
  /** The most bytes for the files of all ended jobs; the oldest jobs are deleted first. Null means no limit. */
  readonly bytes: number | null
  /** The number of newest events to keep. */
  readonly events: number
}

export const defaultRetention: Retention = { ageMs: null, bytes: 20 * 1024 ** 3, events: 1_000_000 }

/** The most jobs checked, events deleted, and pages freed, between two turns of the event loop. */
const [atOnce, eventsAtOnce, pagesAtOnce] = [50, 1000, 500]

export interface SweepDeps {
  readonly store: { readonly jobs: Jobs; readonly events: EventLog; readonly database: FleetDatabase }
  readonly data: FleetData
  /** Returns whether a copy still contains the changes of a job. Such a job stays, because its copy was neither applied nor discarded. */
  readonly hasCopy: (id: string) => boolean
  readonly now: () => number
  readonly signal: AbortSignal
}

/**
 * Deletes ended jobs that are too old or exceed the size limit, with their files, and the oldest events. Frees their disk space. Returns
 * the number of deleted jobs. A crash in between leaves a job without files, which the next sweep deletes.
 */
export async function sweepJobs({ ageMs, bytes, events: kept }: Retention, deps: SweepDeps): Promise<number> {
  const { store, data, hasCopy, now, signal } = deps
  const { jobs, events, database } = store
  const before = ageMs === null ? '' : new Date(now() - ageMs).toISOString()
  let removed = 0
  let last: EndedJob | null = null
  for (;;) {
    const ended: readonly EndedJob[] = jobs.ended(last, atOnce)
    for (const job of ended) {
      const isTooMuch = bytes !== null && jobs.bytes() > bytes
      if (signal.aborted || !(job.endedAt < before || isTooMuch)) return finish()
      last = job
      if (job.copy !== null && hasCopy(job.copy)) continue
      if (job.worktree !== null && existsSync(job.worktree)) continue
      if (job.agent !== null) await removeTree(data.agent(job.agent).job(job.id).root)
      jobs.remove(job.id)
      removed += 1
    }
    if (ended.length < atOnce) return finish()
    await turn()
  }

  async function finish(): Promise<number> {
    while (!signal.aborted && events.keep(kept, eventsAtOnce)) await turn()
    while (!signal.aborted && database.shrink(pagesAtOnce) > 0) await turn()
    return removed
  }
}
