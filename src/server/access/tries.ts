import { Refusal } from '../problem.ts'
import type { Clock } from './clock.ts'

const windowMs = 60_000
const allowed = 10

/**
 * Counts wrong secrets by address. After ten within a minute, no secret is checked until the oldest failure is a minute old.
 * Every check of a secret uses this class. It stores at most `most` addresses; above that, those that failed longest ago are
 * dropped.
 */
export class Tries {
  readonly #clock: Clock
  readonly #most: number
  /** The times of the last failures of each address, oldest first. */
  readonly #failures = new Map<string, readonly number[]>()

  constructor(clock: Clock, most = 10_000) {
    this.#clock = clock
    this.#most = most
  }

  /** Returns the result of `look`; null counts as a wrong secret. Throws TOO_MANY_TRIES without calling `look`. */
  attempt<T>(address: string, look: () => T | null): T | null {
    const now = this.#clock.monotonic()
    const recent = (this.#failures.get(address) ?? []).filter((each) => now - each < windowMs)
    const oldest = recent[0]
    if (recent.length >= allowed && oldest !== undefined) {
      const seconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000))
      throw new Refusal('TOO_MANY_TRIES', `Too many wrong credentials came from this address. The next one is checked in ${seconds} s.`, {
        hint: 'Wait, then try again',
        headers: { 'retry-after': String(seconds) },
      })
    }
    const found = look()
    if (found === null) this.#count(address, [...recent, now])
    return found
  }

  get size(): number {
    return this.#failures.size
  }

  #count(address: string, failures: readonly number[]): void {
    this.#failures.delete(address)
    this.#failures.set(address, failures)
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= this.#most) break
      this.#failures.delete(oldest)
    }
  }
}
