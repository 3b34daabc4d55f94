import { setTimeout } from 'node:timers/promises'

const everyMs = 250
const longestMs = 1000

/**
 * Calls `over` if the total memory of a cell's processes exceeds its limit in two consecutive measurements. While a program
 * is being started, it shares all memory with its parent (vfork(2)), which then counts twice. Measurements are a quarter of a
 * second apart. Slow measurements are further apart, but by at most a second.
 */
export async function watchMemory(held: () => Promise<number>, limit: number, ended: AbortSignal, over: () => void): Promise<void> {
  const pause = (ms: number): Promise<void> => setTimeout(ms, undefined, { signal: ended }).catch(() => undefined)
  for (let wait = everyMs; !ended.aborted; ) {
    await pause(wait)
    const began = performance.now()
    if (!ended.aborted && (await held()) > limit) {
      await pause(100)
      if ((await held()) > limit && !ended.aborted) return over()
    }
    wait = Math.min(Math.max(everyMs, (performance.now() - began) * 20), longestMs)
  }
}
