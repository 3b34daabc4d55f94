/** Items with ascending numbers, added at the end and possibly dropped at the start: the event log, or the transcript of a job. */
export interface Numbered<T> {
  /** The number of the oldest kept item; `last + 1` if no item is kept. */
  readonly first: number
  /** The number of the newest item; 0 before the first item. */
  readonly last: number
  /** Returns at most `limit` items with numbers over `n`, in order and without gaps. */
  after(n: number, limit: number): Promise<readonly T[]> | readonly T[]
  numberOf(item: T): number
  /** Calls the listener after the source has grown or ended. Returns a function that removes the listener. */
  onGrowth(listener: () => void): () => void
  /** True once no more items will be added. */
  readonly ended?: boolean
}
