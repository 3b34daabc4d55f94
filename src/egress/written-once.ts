import { hash, randomBytes } from 'node:crypto'
import { registrableDomain } from './policy/host-pattern.ts'

export interface WrittenLimits {
  /** Maximum number of different things that are recorded. */
  readonly all: number
  /** Maximum number for each registrable domain. The limit applies once this many things have been recorded in total. */
  readonly belowOne: number
}

/** Limits of about 30 MB of log (100,000 lines) and about 10 MB of memory for the set. */
const defaultLimits: WrittenLimits = { all: 100_000, belowOne: 1_000 }

/**
 * Detects things that are seen for the first time, so that a flood of one thing hides no other. Stores 48-bit hashes with a random
 * key, so outsiders cannot find a name that counts as seen because its hash equals another one.
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
   * Returns `first` if the event must be written, and remembers it; `seen` if it was written before; `crowded` if there are too many of its
   * domain, or too many in total, so that it may or may not be new.
   * @param about distinguishes the event from others with this host, for example a reason.
   */
  see(host: string, about: string): 'first' | 'seen' | 'crowded' {
    const mark = Buffer.from(hash('sha256', `${this.#key} ${about} ${host}`, 'hex').slice(0, 12), 'hex').readUIntBE(0, 6)
    if (this.#seen.has(mark)) return 'seen'
    if (this.#seen.size >= this.#limits.all) return 'crowded'
    // Deferred, because the list of public suffixes is large, and few cells ever use a thousand names.
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

/** Returns the group in which floods are counted: the registrable domain of a name, or one group for all addresses. */
export function groupOf(host: string): string {
  return /^[0-9a-f:.]*$/i.test(host) && /^\d|:/.test(host) ? '(addresses)' : registrableDomain(host)
}
