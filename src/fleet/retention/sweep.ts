import { setImmediate as turn } from 'node:timers/promises'
import { removeTree } from '../../files/remove-tree.ts'
import type { FleetData } from '../data-directory.ts'
import type { EndedJob, JobQueue } from '../queue/queue.ts'
import type { FleetDatabase } from '../store/database.ts'
import type { EventLog } from '../store/events.ts'

/** How long a fleet keeps the jobs that have ended, and its events. */
export interface Retention {
  /** Milliseconds after a job's end; null: for ever. */
  readonly ageMs: number | null
  /** Bytes that the files of ended jobs may take together; the oldest go first. Null: as many as there are. */
  readonly bytes: number | null
  /** How many of the newest events. */
  readonly events: number
}

export const defaultRetention: Retention = { ageMs: null, bytes: 20 * 1024 ** 3, events: 1_000_000 }

/** Jobs looked at, and pages given back, between two turns of the event loop. */
const [atOnce, pagesAtOnce] = [50, 500]

export interface SweepDeps {
  readonly store: { readonly queue: JobQueue; readonly events: EventLog; readonly database: FleetDatabase }
  readonly data: FleetData
  /** Whether a copy still holds what a job changed: nobody has applied or discarded it, so its job stays. */
  readonly hasCopy: (id: string) => boolean
  readonly now: () => number
  readonly signal: AbortSignal
}

/**
 * Deletes ended jobs that are too old or too much, with their files, and events beyond the newest; gives their space back to the disk. Returns
 * how many jobs were deleted. A crash in between leaves a job without files, which the next sweep deletes.
 */
export async function sweepJobs({ ageMs, bytes, events: kept }: Retention, deps: SweepDeps): Promise<number> {
  const { store, data, hasCopy, now, signal } = deps
  const { queue, events, database } = store
  const before = ageMs === null ? '' : new Date(now() - ageMs).toISOString()
  let removed = 0
  let last: EndedJob | null = null
  for (;;) {
    const jobs: readonly EndedJob[] = await queue.ended(last, atOnce)
    for (const job of jobs) {
      const isTooMuch = bytes !== null && (await queue.bytes()) > bytes
      if (signal.aborted || !(job.endedAt < before || isTooMuch)) return finish()
      last = job
      if (job.copy !== null && hasCopy(job.copy)) continue
      if (job.agent !== null) await removeTree(data.agent(job.agent).job(job.id).root)
      await queue.remove(job.id)
      removed += 1
    }
    if (jobs.length < atOnce) return finish()
    await turn()
  }

  async function finish(): Promise<number> {
    if (!signal.aborted) events.keep(kept)
    while (!signal.aborted && database.shrink(pagesAtOnce) > 0) await turn()
    return removed
  }
}
