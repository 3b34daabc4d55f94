/** Maximum number of names that one gateway remembers. After that, wildcards do not yield new names. */
const maxNames = 100_000

const first = (198 << 24) | (18 << 16)
const size = 1 << 17

/**
 * Assigns each name an address from 198.18.0.0/15 (RFC 2544; not used on the internet) that represents it for the lifetime of the
 * gateway. Addresses are assigned in order from 198.18.0.1, without .0 and .255, and never reused.
 */
export class SyntheticAddresses {
  readonly #byName = new Map<string, string>()
  readonly #byAddress = new Map<string, string>()
  readonly #limit: number
  #next = 0

  /** @param names names that get their addresses at once, in this order. */
  constructor(names: Iterable<string> = [], limit: number = maxNames) {
    this.#limit = Math.min(limit, maxNames)
    for (const name of names) this.addressOf(name)
  }

  /** Returns the address for a name, and assigns one if the name is new. Null if there is no room for more names. */
  addressOf(name: string): string | null {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    if (this.#byName.size >= this.#limit) return null
    const address = this.#take()
    if (address === null) return null
    this.#byName.set(name, address)
    this.#byAddress.set(address, name)
    return address
  }

  /** Returns the name that an address represents. */
  nameOf(address: string): string | null {
    return this.#byAddress.get(address) ?? null
  }

  get size(): number {
    return this.#byName.size
  }

  #take(): string | null {
    do this.#next++
    while (this.#next % 256 === 0 || this.#next % 256 === 255)
    if (this.#next >= size) return null
    const value = first + this.#next
    return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
  }
}

/** Returns true for the reverse name (`4.3.18.198.in-addr.arpa`) of a synthetic address, which reveals no other name. */
export function isSyntheticReverse(name: string): boolean {
  return /^\d{1,3}\.\d{1,3}\.1[89]\.198\.in-addr\.arpa$/.test(name)
}
