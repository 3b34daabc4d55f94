/** A fixed number of places. If all are taken, another request for a place is refused at once and does not wait. */
export class Places {
  #free: number

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Takes a place and returns a function that releases it once. Null if all places are taken. */
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
