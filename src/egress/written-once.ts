import { hash, randomBytes } from 'node:crypto'
import { registrableDomain } from './policy/host-pattern.ts'

export interface WrittenLimits {
  /** Different things that are written up. */
  readonly all: number
  /** Of them, so many below one registrable domain, once there are more than this of any. */
  readonly belowOne: number
}

/** 100,000 lines are some 30 MB of log, and the set of them some 10 MB of memory. */
const defaultLimits: WrittenLimits = { all: 100_000, belowOne: 1_000 }

/**
 * Tells what is seen for the first time, so that a flood of one thing hides no other. It remembers hashes under a key of its own, 48 bits
 * each: nobody outside can find a name that counts as seen because another one was.
 */
export class WrittenOnce {
  readonly #key = randomBytes(16).toString('hex')
  readonly #seen = new Set<number>()
  readonly #below = new Map<string, number>()
  readonly #limits: WrittenLimits

  constructor(limits: WrittenLimits = defaultLimits) {
    this.#limits = limits
  }

  /**
   * `first`: to be written, and remembered. `seen`: it was written. `crowded`: there are too many of its domain, or altogether; it may be
   * new or not.
   * @param about what else tells it from others with this host: a reason.
   */
  see(host: string, about: string): 'first' | 'seen' | 'crowded' {
    const mark = Buffer.from(hash('sha256', `${this.#key} ${about} ${host}`, 'hex').slice(0, 12), 'hex').readUIntBE(0, 6)
    if (this.#seen.has(mark)) return 'seen'
    if (this.#seen.size >= this.#limits.all) return 'crowded'
    // The list of public suffixes is large, and few cells ever meet a thousand names.
    if (this.#seen.size >= this.#limits.belowOne) {
      const domain = groupOf(host)
      const below = this.#below.get(domain) ?? 0
      if (below >= this.#limits.belowOne) return 'crowded'
      this.#below.set(domain, below + 1)
    }
    this.#seen.add(mark)
    return 'first'
  }
}

/** What floods are counted by: the registrable domain of a name, and one word for all addresses. */
export function groupOf(host: string): string {
  return /^[0-9a-f:.]*$/i.test(host) && /^\d|:/.test(host) ? '(addresses)' : registrableDomain(host)
}
