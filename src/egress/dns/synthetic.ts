/** Names that one gateway knows at most: beyond it a wildcard yields no new ones. */
const maxNames = 100_000

const first = (198 << 24) | (18 << 16)
const size = 1 << 17

/**
 * Gives each name an address out of 198.18.0.0/15 (RFC 2544; nothing on the internet has one) that stands for it as long as the gateway
 * lives. Addresses are handed out in order from 198.18.0.1, leaving out .0 and .255, and never reused.
 */
export class SyntheticAddresses {
  readonly #byName = new Map<string, string>()
  readonly #byAddress = new Map<string, string>()
  readonly #limit: number
  #next = 0

  /** @param names get their addresses at once, in this order. */
  constructor(names: Iterable<string> = [], limit: number = maxNames) {
    this.#limit = Math.min(limit, maxNames)
    for (const name of names) this.addressOf(name)
  }

  /** The address that stands for a name, given now if it is new; null when no more names fit. */
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

  /** The name that an address stands for. */
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

/** True for the reverse name (`4.3.18.198.in-addr.arpa`) of a synthetic address, which has no other name to tell. */
export function isSyntheticReverse(name: string): boolean {
  return /^\d{1,3}\.\d{1,3}\.1[89]\.198\.in-addr\.arpa$/.test(name)
}
