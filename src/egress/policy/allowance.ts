/** So many at once, then so many a second: what a cell can cause to be written. The rest is for the caller to count. */
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

  /** Takes one. Returns false if none is left. */
  take(): boolean {
    const now = Date.now()
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#refilled) / 1_000) * this.#perSecond)
    this.#refilled = now
    if (this.#left < 1) return false
    this.#left--
    return true
  }
}
