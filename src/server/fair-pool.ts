/** Returns the error of work that was refused because too much waits. */
type Refuse = () => Error

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

/** The limits of a pool: how much work runs at once, how much of that is of one caller, and how much waits. */
export interface PoolLimits {
  readonly atOnce: number
  readonly ofOne: number
  readonly waiting: number
}

/**
 * Limits how much work runs at once, and shares that among callers. Waiting work starts in turns, one of each caller. If all waiting
 * places are taken, the caller with the most of them loses the newest, so that nobody is refused because of others who wait for more.
 */
export class FairPool {
  readonly #limits: PoolLimits
  readonly #tooMany: Refuse
  readonly #running = new Map<string, number>()
  /** The waiting work by caller; the caller whose turn is next is first. */
  readonly #waiting = new Map<string, Waiting[]>()

  constructor(limits: PoolLimits, tooMany: Refuse) {
    this.#limits = limits
    this.#tooMany = tooMany
  }

  /** Runs work when it is its turn. @throws the error of `tooMany` if it is refused; that of the work */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start, reject) => {
      const own = this.#waiting.get(caller) ?? []
      own.push({ start, refuse: () => reject(this.#tooMany()) })
      this.#waiting.set(caller, own)
      this.#startNext()
      this.#refuseOne()
    })
    try {
      return await work()
    } finally {
      this.#count(caller, -1)
      this.#startNext()
    }
  }

  #startNext(): void {
    if (sumOf(this.#running.values()) >= this.#limits.atOnce) return
    for (const [caller, [next, ...later]] of this.#waiting) {
      if (next === undefined || (this.#running.get(caller) ?? 0) >= this.#limits.ofOne) continue
      this.#waiting.delete(caller)
      if (later.length > 0) this.#waiting.set(caller, later)
      this.#count(caller, 1)
      next.start()
      return
    }
  }

  #refuseOne(): void {
    const all = [...this.#waiting.values()]
    if (sumOf(all.map(({ length }) => length)) <= this.#limits.waiting) return
    all
      .reduce((most, each) => (each.length >= most.length ? each : most))
      .pop()
      ?.refuse()
  }

  #count(caller: string, change: 1 | -1): void {
    const running = (this.#running.get(caller) ?? 0) + change
    if (running === 0) this.#running.delete(caller)
    else this.#running.set(caller, running)
  }
}

function sumOf(counts: Iterable<number>): number {
  return [...counts].reduce((sum, each) => sum + each, 0)
}
