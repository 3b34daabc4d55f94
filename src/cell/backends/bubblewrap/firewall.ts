import { connectedSubnets, internalRanges } from '../../../egress/addresses.ts'
import type { EgressPolicy } from '../../../egress/policy.ts'

/** Ranges that come on top of the internal ones, in CIDR notation of both families. */
export interface MoreRanges {
  readonly v4: readonly string[]
  readonly v6: readonly string[]
}

/** The ranges of the user's list and those that the host stands in right now. */
export function rangesOf(policy: Extract<EgressPolicy, { mode: 'public' }>, connected: MoreRanges = connectedSubnets()): MoreRanges {
  const own = (v6: boolean): string[] => policy.blocked.filter((each) => each.includes(':') === v6)
  return { v4: [...own(false), ...connected.v4], v6: [...own(true), ...connected.v6] }
}

/**
 * The nft(8) rules of a cell under `public`, loaded into its network namespace before the agent starts; the agent has no
 * capability there, so it can only live with them. What is not accepted is dropped: a family that nobody thought of
 * does not pass. DNS goes to the gateway on loopback and nowhere else; IPv6 needs neighbour discovery (RFC 4861) to work at all.
 */
export function firewall(more: MoreRanges): string {
  const { v4, v6 } = internalRanges()
  const set = (name: string, type: string, elements: readonly string[]): string =>
    `set ${name} { type ${type}; flags interval; auto-merge; elements = { ${elements.join(', ')} }; }`
  return [
    'table inet paddock {',
    set('internal4', 'ipv4_addr', [...v4, ...more.v4]),
    set('internal6', 'ipv6_addr', [...v6, ...more.v6]),
    'chain output {',
    'type filter hook output priority filter; policy drop;',
    'oifname "lo" accept',
    // Nobody is asked whether an address is free; see withoutDuplicateDetection.
    'ip6 saddr :: drop',
    'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept',
    'ip daddr @internal4 reject with icmpx type admin-prohibited',
    'ip6 daddr @internal6 reject with icmpx type admin-prohibited',
    'meta l4proto { tcp, udp } th dport { 53, 853 } reject with icmpx type admin-prohibited',
    'meta nfproto ipv4 accept',
    'ip6 daddr { 2000::/3, 64:ff9b::/96 } accept',
    'reject with icmpx type admin-prohibited',
    '}',
    '}',
    '',
  ].join('\n')
}

/** Rules that add ranges to those of a running cell. */
export function addRanges(more: MoreRanges): string {
  const add = (name: string, elements: readonly string[]): string[] =>
    elements.length === 0 ? [] : [`add element inet paddock ${name} { ${elements.join(', ')} }\n`]
  return [...add('internal4', more.v4), ...add('internal6', more.v6)].join('')
}
