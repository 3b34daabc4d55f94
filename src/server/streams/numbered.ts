/** Items with ascending numbers that grow at the end and may be dropped at the start: the log of events, the transcript of a job. */
export interface Numbered<T> {
  /** The number of the oldest item that is kept; `last + 1` if none is. */
  readonly first: number
  /** The number of the newest item; 0 if there was none yet. */
  readonly last: number
  /** Returns at most `limit` items with numbers over `n`, in order, without leaving one out. */
  after(n: number, limit: number): Promise<readonly T[]> | readonly T[]
  numberOf(item: T): number
  /** Calls the listener each time after the source has grown or ended; returns what stops that. */
  onGrowth(listener: () => void): () => void
  /** True once nothing is added any more. */
  readonly ended?: boolean
}
