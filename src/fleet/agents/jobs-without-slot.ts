/** An answer for a job that waits for a free slot. */
interface Resuming {
  readonly job: string
  readonly call: string
  readonly answer: () => void
}

/** The jobs of an agent that give up their slot while they wait for other agents, and the answers that wait for a slot. */
export class Resting {
  /** The waiting calls of each job. */
  readonly #calls = new Map<string, Set<string>>()
  readonly #resuming: Resuming[] = []

  /** The number of jobs without a slot. */
  get size(): number {
    return this.#calls.size
  }

  rest(job: string, call: string): void {
    this.#calls.set(job, (this.#calls.get(job) ?? new Set()).add(call))
  }

  /** Keeps the answer to a call until its job has a slot. */
  answered(job: string, call: string, answer: () => void): void {
    this.#resuming.push({ job, call, answer })
  }

  /** Ends the wait for this call. A job without other waiting calls occupies a slot again. */
  rested(job: string, call: string): void {
    const calls = this.#calls.get(job)
    calls?.delete(call)
    if (calls?.size === 0) this.#calls.delete(job)
  }

  /** Gives answers in their order, as long as their jobs have slots. */
  resume(isInHand: (job: string) => boolean, hasPlace: () => boolean): void {
    for (let next = this.#resuming[0]; next !== undefined; next = this.#resuming[0]) {
      const { job, call, answer } = next
      const calls = this.#calls.get(job)
      const needsPlace = calls?.size === 1 && calls.has(call)
      if (isInHand(job) && needsPlace && !hasPlace()) return
      this.#resuming.shift()
      if (!isInHand(job)) continue
      this.rested(job, call)
      answer()
    }
  }

  drop(job: string): void {
    this.#calls.delete(job)
  }

  /** Forgets everything, because a host process repeats the calls that its jobs wait for. */
  clear(): void {
    this.#calls.clear()
    this.#resuming.length = 0
  }
}
