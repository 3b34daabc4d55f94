import { Refusal } from '../problem.ts'
import type { Clock } from './steady-clock.ts'

const windowMs = 60_000
const allowed = 10

/**
 * Counts wrong passphrases by the caller's credential. After ten within a minute, none of this caller is checked until the oldest failure is
 * a minute old. Secrets of 256 bits (tokens, sessions, tickets, login codes, signatures of hooks) cannot be guessed, so they are always
 * checked, and a program with a revoked one locks nobody out. It stores at most `most` callers; above that, those that failed longest ago
 * are dropped.
 */
export class Tries {
  readonly #clock: Clock
  readonly #most: number
  /** The times of the last failures of each caller, oldest first. */
  readonly #failures = new Map<string, readonly number[]>()

  constructor(clock: Clock, most = 10_000) {
    this.#clock = clock
    this.#most = most
  }

  /** Returns the result of `look`; null counts as a wrong passphrase. Throws TOO_MANY_TRIES without calling `look`. */
  attempt<T>(caller: string, look: () => T | null): T | null {
    const now = this.#clock.monotonic()
    const recent = (this.#failures.get(caller) ?? []).filter((each) => now - each < windowMs)
    const oldest = recent[0]
    if (recent.length >= allowed && oldest !== undefined) {
      const seconds = Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000))
      throw new Refusal(
        'TOO_MANY_TRIES',
        `Too many wrong passphrases came with this credential. The next one is checked in ${seconds} s.`,
        {
          hint: 'Wait, then try again',
          headers: { 'retry-after': String(seconds) },
        },
      )
    }
    const found = look()
    if (found === null) this.#count(caller, [...recent, now])
    return found
  }

  get size(): number {
    return this.#failures.size
  }

  #count(caller: string, failures: readonly number[]): void {
    this.#failures.delete(caller)
    this.#failures.set(caller, failures)
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= this.#most) break
      this.#failures.delete(oldest)
    }
  }
}
