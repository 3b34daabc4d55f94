import { createHash, randomBytes } from 'node:crypto'
import { type Clock, deadline } from './steady-clock.ts'

/** Returns 256 random bits as base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the hash under which a secret is stored. Secrets have 256 bits, so the time of a look-up by hash reveals nothing. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Secrets that can be used once and for a limited time. Only hashes are in memory. Above `most` secrets, the oldest is dropped. */
export class OneTime<T> {
  readonly #clock: Clock
  readonly #ms: number
  readonly #most: number
  readonly #issued = new Map<string, { readonly value: T; readonly passed: () => boolean }>()

  constructor(clock: Clock, ms: number, most: number) {
    this.#clock = clock
    this.#ms = ms
    this.#most = most
  }

  /** Returns a new secret for the value. */
  issue(value: T): string {
    const secret = newSecret()
    this.#issued.set(hashOf(secret), { value, passed: deadline(this.#clock, this.#ms) })
    // All secrets have the same lifetime, so the first ones expire first.
    for (const [hash, { passed }] of this.#issued) {
      if (this.#issued.size <= this.#most && !passed()) break
      this.#issued.delete(hash)
    }
    return secret
  }

  /** Returns the value and invalidates the secret; null if the secret is unknown, used or expired. */
  redeem(secret: string): T | null {
    const hash = hashOf(secret)
    const found = this.#issued.get(hash)
    this.#issued.delete(hash)
    return found === undefined || found.passed() ? null : found.value
  }
}
