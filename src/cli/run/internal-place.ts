import type { InternalName } from '../../egress/notice.ts'
import type { AddressKind } from '../../egress/policy/addresses.ts'

const network = 'of your own network'
const machine = 'of this machine'
/** Where an address is that a user may want to reach on purpose. */
const places: Partial<Record<AddressKind, string>> = {
  private: network,
  shared: network,
  'unique-local': network,
  'site-local': network,
  loopback: machine,
  own: machine,
}

/** Returns which internal address a name means, and the entry that pins the name to it; null: nobody pins such an address on purpose. */
export function internalPlace({ host, ports, addresses }: Omit<InternalName, 'kind' | 'option'>): {
  readonly text: string
  readonly pin: string | null
} {
  // Nobody pins a metadata service or a broadcast address on purpose.
  const { address, kind } = addresses.find((each) => places[each.kind] !== undefined) ?? addresses[0] ?? { address: '', kind: 'unreadable' }
  const place = places[kind]
  const more = addresses.length > 1 ? ` (and ${addresses.length - 1} more)` : ''
  if (place === undefined) return { text: `${host} means ${address}${more}, an internal address (${kind})`, pin: null }
  return { text: `${host} means ${address}${more}, an address ${place}`, pin: ports.length === 0 ? null : pinText(host, ports, address) }
}

/** Returns the entry that pins a name to an address. With several ports, each connection goes to its own port there. */
function pinText(host: string, ports: readonly number[], address: string): string {
  const literal = address.includes(':') ? `[${address}]` : address
  return `${host}:${ports.join(',')}=${literal}${ports.length === 1 ? `:${ports[0]}` : ''}`
}
