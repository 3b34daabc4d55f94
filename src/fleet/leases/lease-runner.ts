import { type Alarm, setAlarm } from '../alarm.ts'
import type { EventReader } from '../store/event-log.ts'
import type { Jobs } from '../store/job-records.ts'
import type { Lease, Leases } from '../store/lease-store.ts'

export interface LeaseRunnerDeps {
  readonly leases: Pick<Leases, 'due' | 'nextEnd' | 'end'>
  readonly jobs: Pick<Jobs, 'list'>
  readonly events: Pick<EventReader, 'onGrowth'>
  /** Ends a job, which may have ended already. */
  readonly cancel: (job: string) => unknown
  /** Ends all jobs that a job delegated, at any depth. */
  readonly cancelBelow: (job: string) => void
  /** Called with each lease that ends, before its jobs are ended. */
  readonly onEnd: (lease: Lease) => void
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

const all = { before: null, limit: Number.MAX_SAFE_INTEGER }

/**
 * Ends leases that expire or are revoked. After a `look`, their queued jobs are cancelled, and running ones were asked to end. If a server
 * is killed, the next one finishes the work.
 */
export function runLeases({ leases, jobs, events, cancel, cancelBelow, onEnd, warn, now }: LeaseRunnerDeps): Alarm {
  const end = (lease: Lease): void => {
    onEnd(lease)
    // Queued jobs first, so that none of them starts when another one ends.
    for (const state of ['queued', 'running', 'waiting'] as const)
      for (const job of jobs.list({ lease: lease.id, state }, all)) cancel(job.id)
    for (const job of jobs.list({ lease: lease.id }, all)) cancelBelow(job.id)
    leases.end(lease.id)
  }
  const look = (): number | null => {
    for (const each of leases.due(new Date(now()))) end(each)
    return leases.nextEnd()
  }
  return setAlarm({ look, failed: (error) => warn(`a lease could not be ended: ${error}`, {}), now, log: events })
}
