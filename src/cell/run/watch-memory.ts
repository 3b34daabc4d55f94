import { setTimeout } from 'node:timers/promises'

/**
 * Calls `over` when the processes of a cell hold more bytes together than its limit in two looks, one right after the other: a program that is
 * just being started shares all memory with the one that starts it (vfork(2)), and counts twice at that moment. A look is every two seconds,
 * and takes at most a twentieth of the time.
 */
export async function watchMemory(held: () => Promise<number>, limit: number, ended: AbortSignal, over: () => void): Promise<void> {
  const pause = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal: ended }).catch(() => undefined)
  for (let wait = 2000; !ended.aborted; ) {
    await pause(wait)
    const began = performance.now()
    if (!ended.aborted && (await held()) > limit) {
      await pause(100)
      if ((await held()) > limit && !ended.aborted) return over()
    }
    wait = Math.max(2000, (performance.now() - began) * 20)
  }
}
