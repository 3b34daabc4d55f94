/** Milliseconds before the next attempt, by how many failed so far; then always the last one. */
const waits = [0, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

/** Resolves after the wait that so many failures ask for, or when the signal says so. */
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
