import { setTimeout } from 'node:timers/promises'
import { type KernelLock, openKernelLock } from '../../audit/lock.ts'

const pollMs = 25

/** Waits for the lock among all processes at most `patienceMs`; null: it was not to be had. Disposing of it gives it back. */
export async function waitForLock(file: string, patienceMs: number): Promise<Disposable | null> {
  const lock: KernelLock = openKernelLock(file)
  const until = performance.now() + patienceMs
  for (;;) {
    const release = lock.hold()
    if (release !== null) {
      return {
        [Symbol.dispose]() {
          release()
          lock.close()
        },
      }
    }
    if (performance.now() >= until) {
      lock.close()
      return null
    }
    await setTimeout(pollMs + Math.random() * pollMs)
  }
}
