import { PaddockError } from '../../base/errors.ts'

/** The number of wrong passphrases without a delay, because people mistype. */
const free = 3
const firstWaitMs = 1_000
const longestWaitMs = 5 * 60_000

/**
 * Slows down guessing of passphrases through a process. After the third wrong one, the delay doubles with each attempt, up to five minutes,
 * and only one attempt runs at a time. The counts are in memory, so this is for a long-running process. An attacker who has the file itself
 * is slowed down only by scrypt.
 */
export class UnlockThrottle {
  readonly #now: () => number
  #wrong = 0
  #notBefore = 0
  #busy = false

  /** `now` returns the time of a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Makes one attempt. A WRONG_PASSPHRASE of `work` counts; success resets the count.
   * @throws PaddockError TOO_MANY_TRIES with the time to wait, or BUSY, without an attempt
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const waitMs = this.#notBefore - this.#now()
    if (waitMs > 0)
      throw new PaddockError('TOO_MANY_TRIES', `Too many wrong passphrases; the next one is tried in ${Math.ceil(waitMs / 1_000)} s.`, {
        hint: 'Wait, then try again',
      })
    if (this.#busy) throw new PaddockError('BUSY', 'Another passphrase is being tried.', { hint: 'Wait a second, then try again' })
    this.#busy = true
    try {
      const result = await work()
      this.#wrong = 0
      return result
    } catch (error) {
      if (error instanceof PaddockError && error.code === 'WRONG_PASSPHRASE') this.#count()
      throw error
    } finally {
      this.#busy = false
    }
  }

  #count(): void {
    this.#wrong += 1
    if (this.#wrong < free) return
    this.#notBefore = this.#now() + Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(20, this.#wrong - free))
  }
}
