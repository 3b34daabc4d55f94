import { setImmediate } from 'node:timers/promises'

/** Lets synchronous file work share the event loop: `now()` gives the loop a turn when the last one was a while ago. */
export class Pause {
  readonly #everyMs: number
  #last = performance.now()

  constructor(everyMs = 8) {
    this.#everyMs = everyMs
  }

  /** Whether `now` would wait: cheaper to ask before each of many small steps. */
  get isDue(): boolean {
    return performance.now() - this.#last >= this.#everyMs
  }

  /** Resolves at once, or after one turn of the event loop. */
  async now(): Promise<void> {
    if (!this.isDue) return
    await setImmediate()
    this.#last = performance.now()
  }
}
