/** So many at once, and no further ones: who finds no place is told so and does not wait. */
export class Places {
  #free: number

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Takes a place and returns what gives it back, once; null where all are taken. */
  take(): (() => void) | null {
    if (this.#free === 0) return null
    this.#free--
    let given = false
    return () => {
      if (given) return
      given = true
      this.#free++
    }
  }
}
