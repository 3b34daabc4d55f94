import type { AllowEntry, EgressPolicy } from './egress-policy.ts'
import { anyName, isWildcard, matchesPattern } from './host-pattern.ts'

/** A listener in the cell's network namespace that its gateway needs to serve. */
export interface ListenerWish {
  readonly kind: 'dns-udp' | 'dns-tcp' | 'tcp'
  readonly address: string
  readonly port: number
}

/** The name server in a cell's resolv.conf. */
export const dnsAddress = '127.0.0.53'

/**
 * The entries of a policy, looked up by name and port. Under `public` and `open` these are the names that the gateway serves. All other
 * names are reached directly.
 */
export class Allowlist {
  readonly #entries: readonly AllowEntry[]
  readonly #exact: ReadonlySet<string>

  constructor(policy: EgressPolicy) {
    const entries = policy.mode === 'off' ? [] : policy.entries
    // A user's entry takes precedence over a preset's, an exact name over a wildcard, and a wildcard over `*`.
    this.#entries = entries.toSorted((a, b) => rank(a) - rank(b))
    this.#exact = new Set(entries.map(({ host }) => host).filter((host) => !isWildcard(host)))
  }

  get entries(): readonly AllowEntry[] {
    return this.#entries
  }

  /** Returns the exact names in the order of the policy. */
  get exactNames(): Iterable<string> {
    return this.#exact
  }

  knows(name: string): boolean {
    return this.#exact.has(name) || this.#entries.some(({ host }) => matchesPattern(host, name))
  }

  find(name: string, port: number): AllowEntry | null {
    return this.#entries.find((entry) => entry.ports.includes(port) && matchesPattern(entry.host, name)) ?? null
  }

  /**
   * Returns the TCP listeners: one for each exact name and port, so that they do not collide with a server of the cell on the same port of
   * 127.0.0.1; and one for all addresses on a port of a wildcard, because its names are not known before they are looked up.
   */
  listeners(addressOf: (name: string) => string | null): ListenerWish[] {
    const wide = new Set(this.#entries.filter(({ host }) => isWildcard(host)).flatMap(({ ports }) => ports))
    const wishes = new Map([...wide].map((port) => [`0.0.0.0:${port}`, { kind: 'tcp' as const, address: '0.0.0.0', port }]))
    for (const { host, ports } of this.#entries) {
      const address = isWildcard(host) ? null : addressOf(host)
      if (address === null) continue
      for (const port of ports) if (!wide.has(port)) wishes.set(`${address}:${port}`, { kind: 'tcp', address, port })
    }
    return [...wishes.values()]
  }
}

function rank(entry: AllowEntry): number {
  return (entry.host === anyName ? 4 : isWildcard(entry.host) ? 2 : 0) + (entry.source === 'user' ? 0 : 1)
}
