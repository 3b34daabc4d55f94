import { messageOf } from '../../errors.ts'
import type { JobQueue } from '../queue/queue.ts'
import type { Lease, Leases } from '../store/leases.ts'

/** The longest time between two readings of the clock, in milliseconds: clocks are changed, and machines sleep. */
const longestMs = 30_000
/** Milliseconds before another attempt to end a lease. */
const againMs = 1_000

export interface LeaseRunnerDeps {
  readonly leases: Pick<Leases, 'due' | 'nextEnd' | 'end'>
  readonly queue: Pick<JobQueue, 'list'>
  /** Ends a job, which may have ended already. */
  readonly cancel: (job: string) => Promise<unknown>
  /** Ends all jobs that a job delegated, at any depth. */
  readonly cancelBelow: (job: string) => Promise<void>
  /** Called with each lease that ends, before its jobs are ended. */
  readonly onEnd: (lease: Lease) => void
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

export interface LeaseRunner extends Disposable {
  /** Ends the leases that are revoked or expired. Resolves when queued jobs are cancelled and running jobs were asked to end. */
  wake(): Promise<void>
}

/** Ends leases when they expire. If a server is killed, the next one finishes the work. */
export function runLeases({ leases, queue, cancel, cancelBelow, onEnd, warn, now }: LeaseRunnerDeps): LeaseRunner {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running: Promise<void> = Promise.resolve()
  const end = async (lease: Lease): Promise<void> => {
    onEnd(lease)
    // Queued jobs first, so that none of them starts when another one ends.
    for (const state of ['queued', 'running', 'waiting'] as const)
      for (const job of await queue.list({ lease: lease.id, state }, { before: null, limit: Number.MAX_SAFE_INTEGER }))
        if (!isClosed) await cancel(job.id).catch(() => undefined)
    for (const job of await queue.list({ lease: lease.id }, { before: null, limit: Number.MAX_SAFE_INTEGER }))
      if (!isClosed) await cancelBelow(job.id)
    if (!isClosed) leases.end(lease.id)
  }
  const round = async (): Promise<void> => {
    clearTimeout(timer)
    if (isClosed) return
    let wait = longestMs
    try {
      for (const each of leases.due(new Date(now()))) await end(each)
      const next = isClosed ? null : leases.nextEnd()
      if (next === null) return
      wait = Math.min(longestMs, Math.max(0, next - now()))
    } catch (error) {
      warn(`a lease could not be ended: ${messageOf(error)}`, {})
      wait = againMs
    }
    if (!isClosed) timer = setTimeout(() => void wake(), wait)
  }
  const wake = (): Promise<void> => {
    running = running.then(round)
    return running
  }
  void wake()
  return {
    wake,
    [Symbol.dispose]() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
