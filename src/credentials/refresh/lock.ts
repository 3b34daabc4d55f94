import { openKernelLock } from '../../files/kernel-lock.ts'

/** Waits for the lock among all processes at most `patienceMs`; null: it was not to be had. Disposing of it gives it back. */
export async function waitForLock(file: string, patienceMs: number): Promise<Disposable | null> {
  const lock = openKernelLock(file)
  const release = await lock.hold(patienceMs)
  if (release === null) {
    lock.close()
    return null
  }
  return {
    [Symbol.dispose]() {
      release()
      lock.close()
    },
  }
}
