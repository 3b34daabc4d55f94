/** Lets so many at once go on; the others wait, first come first served. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Resolves when it is one's turn; what it resolves to gives the turn on, and does so once. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let given = false
    return () => {
      if (given) return
      given = true
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
