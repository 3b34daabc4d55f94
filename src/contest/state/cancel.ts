import { setTimeout as wait } from 'node:timers/promises'
import { codeOf, PaddockError } from '../../base/errors.ts'
import type { Paths } from '../../base/paths.ts'
import { type Holder, holderOf } from '../../files/lock.ts'
import { identify } from '../../system/process-identity.ts'
import type { Layout } from '../config/contest-layout.ts'
import { contestLock } from './contest-lock.ts'

const pollMs = 100

/**
 * `contest cancel`: asks the process that works on a contest to stop as on Ctrl-C, and waits until it has released the contest. Returns
 * that process; null: no process works on the contest. A different process that now has the same ID is not signalled.
 * @throws PaddockError NOT_ALLOWED for a process of another user, CANCELLED if `signal` stops the wait
 */
export async function cancelContest(
  layout: Pick<Layout, 'root'>,
  { paths, signal, asked }: { readonly paths: Pick<Paths, 'state'>; readonly signal: AbortSignal; readonly asked: (who: Holder) => void },
): Promise<Holder | null> {
  const lock = await contestLock(layout, paths)
  const holder = await holderOf(lock)
  if (holder === null || !(await end(holder))) return null
  asked(holder)
  while (isSame(await holderOf(lock), holder)) {
    if (signal.aborted) throw new PaddockError('CANCELLED', `Process ${holder.pid} was asked to end, and has not ended yet.`)
    await wait(pollMs, undefined, { signal }).catch(() => {})
  }
  return holder
}

/** Sends a signal to a process. Returns false if the process is gone. */
async function end({ pid, started }: Holder): Promise<boolean> {
  // Checked as late as possible, so that the ID is not reused between this check and the signal.
  if ((await identify(pid))?.started !== started) return false
  try {
    process.kill(pid, 'SIGTERM')
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ESRCH') return false
    throw new PaddockError('NOT_ALLOWED', `Process ${pid}, which works on the contest, cannot be signalled (${code}).`, {
      hint: 'Run this as the user who started it',
      cause: error,
    })
  }
}

function isSame(a: Holder | null, b: Holder): boolean {
  return a !== null && a.pid === b.pid && a.started === b.started && a.since === b.since
}
