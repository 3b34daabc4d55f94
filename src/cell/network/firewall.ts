import { lazily } from '../../base/lazily.ts'
import { carriedByNat64, connectedSubnets, hostRanges, internalRanges } from '../../egress/policy/addresses.ts'
import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import type { Ranges } from '../../egress/policy/local-routes.ts'

export type RealPolicy = Extract<EgressPolicy, { mode: 'public' | 'open' }>

/** Returns the ranges that depend on the current host: its subnets under `public`, its own addresses under `open`. */
export function rangesOfHost(mode: RealPolicy['mode']): Ranges {
  return mode === 'public' ? connectedSubnets() : hostRanges()
}

/** Returns the ranges that depend on the current host and those of the user's list. */
export function rangesOf(policy: RealPolicy, host: Ranges = rangesOfHost(policy.mode)): Ranges {
  const own = (v6: boolean): string[] => (policy.mode === 'open' ? [] : policy.blocked.filter((each) => each.includes(':') === v6))
  return { v4: [...own(false), ...host.v4], v6: [...own(true), ...host.v6] }
}

/** The lowest source port for datagrams, which pasta binds and receives on at the host. Lower ports belong to services. */
const firstClientPort = 32_768

/**
 * Rules for every cell with a real network. Only traffic that belongs to an outgoing connection may come in, because pasta's UDP
 * sockets accept datagrams from any sender, including the host's own loopback. Nothing may be sent to loopback, whatever
 * interface a socket was bound to (SO_BINDTODEVICE, socket(7)).
 */
const everyCell = lazily(() => ({
  input: [
    'chain input {',
    'type filter hook input priority filter; policy drop;',
    'iifname "lo" accept',
    'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-advert } accept',
    'ct state { established, related } accept',
    '}',
  ],
  output: [
    'oifname "lo" accept',
    // Duplicate address detection is off, see withoutDuplicateDetection.
    'ip6 saddr :: drop',
    'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept',
    'ip daddr { 0.0.0.0/8, 127.0.0.0/8 } reject with icmpx type admin-prohibited',
    `ip6 daddr { ::/96, ::ffff:0:0/96, ${carriedByNat64('127.0.0.0/8')} } reject with icmpx type admin-prohibited`,
    `udp sport < ${firstClientPort} reject with icmpx type admin-prohibited`,
  ],
}))

/**
 * Returns the nft(8) rules of a cell with a real network. They are loaded into its network namespace before the agent starts. The agent has
 * no capabilities there, so it cannot change them.
 *
 * `public`: everything that is not accepted is dropped, including unknown families. DNS goes only to the gateway on loopback. IPv6 needs
 * neighbour discovery (RFC 4861) to work at all.
 *
 * `open`: everything is accepted except what would reach another cell on this host. A datagram to a local address of the host, including
 * multicast and broadcast, reaches every pasta that uses its port.
 */
export function firewall(mode: RealPolicy['mode'], more: Ranges): string {
  return ['table inet paddock {', ...(mode === 'public' ? publicRules(more) : openRules(more)), ...everyCell().input, '}', ''].join('\n')
}

function publicRules(more: Ranges): readonly string[] {
  const { v4, v6 } = internalRanges()
  return [
    set('internal4', 'ipv4_addr', [...v4, ...more.v4]),
    set('internal6', 'ipv6_addr', [...v6, ...more.v6, ...more.v4.map(carriedByNat64)]),
    'chain output {',
    'type filter hook output priority filter; policy drop;',
    ...everyCell().output,
    'ip daddr @internal4 reject with icmpx type admin-prohibited',
    'ip6 daddr @internal6 reject with icmpx type admin-prohibited',
    'meta l4proto { tcp, udp } th dport { 53, 853 } reject with icmpx type admin-prohibited',
    'meta nfproto ipv4 accept',
    'ip6 daddr { 2000::/3, 64:ff9b::/96 } accept',
    'reject with icmpx type admin-prohibited',
    '}',
  ]
}

function openRules(more: Ranges): readonly string[] {
  return [
    set('internal4', 'ipv4_addr', ['224.0.0.0/4', '255.255.255.255/32', ...more.v4]),
    set('internal6', 'ipv6_addr', ['ff00::/8', ...more.v6, ...more.v4.map(carriedByNat64)]),
    'chain output {',
    'type filter hook output priority filter; policy accept;',
    ...everyCell().output,
    'meta l4proto udp ip daddr @internal4 reject with icmpx type admin-prohibited',
    'meta l4proto udp ip6 daddr @internal6 reject with icmpx type admin-prohibited',
    '}',
  ]
}

function set(name: string, type: string, elements: readonly string[]): string {
  return `set ${name} { type ${type}; flags interval; auto-merge; elements = { ${elements.join(', ')} }; }`
}

/** Returns rules that add ranges to those of a running cell. */
export function addRanges(more: Ranges): string {
  const add = (name: string, elements: readonly string[]): string[] =>
    elements.length === 0 ? [] : [`add element inet paddock ${name} { ${elements.join(', ')} }\n`]
  return [...add('internal4', more.v4), ...add('internal6', [...more.v6, ...more.v4.map(carriedByNat64)])].join('')
}
