/**
 * Runs `work` over all items, at most `limit` at the same time, in order. All of them are run, also when one fails;
 * then the first failure is thrown. Nothing new starts once the signal is aborted.
 */
export async function pool<T>(items: readonly T[], limit: number, signal: AbortSignal, work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  const queue = items.values()
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return
      try {
        await work(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
}

const bytesPerCell = 2 * 1024 ** 3

/** How many cells at once: one for each 2 GiB of memory, at most four for each CPU, at least one. */
export function parallelByMachine(machine: { readonly memoryBytes: number; readonly cpus: number }): number {
  return Math.max(1, Math.min(Math.floor(machine.memoryBytes / bytesPerCell), machine.cpus * 4))
}
