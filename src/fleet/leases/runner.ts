import { messageOf } from '../../errors.ts'
import type { JobQueue } from '../queue/queue.ts'
import type { Lease, Leases } from '../store/leases.ts'

/** Milliseconds between two looks at the clock at most: clocks are set, and machines sleep. */
const longestMs = 30_000
/** Milliseconds until an end that failed is tried again. */
const againMs = 1_000

export interface LeaseRunnerDeps {
  readonly leases: Pick<Leases, 'due' | 'nextEnd' | 'end'>
  readonly queue: Pick<JobQueue, 'list'>
  /** Ends a job; it may have ended. */
  readonly cancel: (job: string) => Promise<unknown>
  /** Ends what a job had other agents do, at any depth. */
  readonly cancelBelow: (job: string) => Promise<void>
  /** Called with each lease that ends, before its jobs are. */
  readonly onEnd: (lease: Lease) => void
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

export interface LeaseRunner extends Disposable {
  /** Ends the leases that are revoked or expired; resolves when their jobs are cancelled, and those that run are asked to end. */
  wake(): Promise<void>
}

/** Ends leases when their time has come. The next server does what a killed one did not. */
export function runLeases({ leases, queue, cancel, cancelBelow, onEnd, warn, now }: LeaseRunnerDeps): LeaseRunner {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running: Promise<void> = Promise.resolve()
  const end = async (lease: Lease): Promise<void> => {
    onEnd(lease)
    // Those that wait first: none of them begins because another one ends.
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
