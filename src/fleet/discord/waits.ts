/** Milliseconds before the next attempt, by the number of failures so far; later failures use the last value. */
const waits = [0, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

/** Resolves after the wait for this number of failures, or when the signal is aborted. */
export function waitAfter(failures: number, signal?: AbortSignal): Promise<void> {
  const ms = waits[Math.min(failures, waits.length - 1)] ?? 0
  if (ms === 0 || signal?.aborted === true) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms).unref()
    signal?.addEventListener('abort', done, { once: true })
  })
}
