import { setImmediate } from 'node:timers/promises'
import { monotonicMs } from '../base/monotonic.ts'

/** Lets synchronous file work share the event loop: `now()` yields to the loop if the last turn was a while ago. */
export class Pause {
  readonly #everyMs: number
  #last = monotonicMs()

  constructor(everyMs = 8) {
    this.#everyMs = everyMs
  }

  /** True: `now` would yield. This is a cheap check before each of many small steps. */
  get isDue(): boolean {
    return monotonicMs() - this.#last >= this.#everyMs
  }

  /** Resolves at once, or after one turn of the event loop. */
  async now(): Promise<void> {
    if (!this.isDue) return
    await setImmediate()
    this.#last = monotonicMs()
  }
}
