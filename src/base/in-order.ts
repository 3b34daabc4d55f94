/** Returns the results of an asynchronous function for each item, in the order of the items, with at most `atOnce` of them at the same time. */
export async function inOrder<T, R>(items: readonly T[], atOnce: number, of: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const place = next
      next += 1
      results[place] = await of(items[place] as T)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return results
}
