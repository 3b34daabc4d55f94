/** A rate limit for events that a cell can cause to be written: a number at once, then a number per second. The caller counts the rest. */
export class Allowance {
  readonly #burst: number
  readonly #perSecond: number
  #left: number
  #refilled = Date.now()

  constructor(burst: number, perSecond: number) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#left = burst
  }

  /** Takes one from the allowance. Returns false if the allowance is used up. */
  take(): boolean {
    const now = Date.now()
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#refilled) / 1_000) * this.#perSecond)
    this.#refilled = now
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
