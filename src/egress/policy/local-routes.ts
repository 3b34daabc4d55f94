import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { monotonicMs } from '../../base/monotonic.ts'

/** Addresses in CIDR notation. */
export interface Ranges {
  readonly v4: readonly string[]
  readonly v6: readonly string[]
}

/** Milliseconds for which a result is reused, because the time to read it grows with the routing table. */
const freshMs = 1_000
let last: { readonly at: number; readonly ranges: Ranges } | null = null

/**
 * Returns the addresses that this host's kernel treats as local beyond those of its interfaces: the routes of type local, broadcast and
 * anycast (ip-route(8)). Load balancers and cloud guest agents set such routes for addresses that no interface has. Read from
 * /proc/net/fib_trie and /proc/net/ipv6_route, at most a second old. Empty if these files do not exist. Loopback is excluded.
 */
export function localRanges(): Ranges {
  const now = monotonicMs()
  if (last === null || now - last.at > freshMs) {
    last = { at: now, ranges: { v4: localIn4(textOf('/proc/net/fib_trie')), v6: localIn6(textOf('/proc/net/ipv6_route')) } }
  }
  return last.ranges
}

/**
 * Parses fib_trie. A leaf is an address, followed by a line for each prefix that starts there. Only tables in which every packet
 * is looked up are used, because a transparent proxy's own table contains `local 0.0.0.0/0`.
 */
export function localIn4(text: string): readonly string[] {
  const found = new Set<string>()
  let leaf = ''
  let looked = false
  for (const line of text.split('\n')) {
    if (/^\S/.test(line)) looked = /^(?:Main|Local):/.test(line)
    if (!looked) continue
    const address = /^\s*\|-- ([\d.]+)$/.exec(line)?.[1]
    if (address !== undefined) leaf = address
    const bits = /^\s*\/(\d+) \w+ (?:LOCAL|BROADCAST|ANYCAST)\b/.exec(line)?.[1]
    if (bits !== undefined && bits !== '0' && !leaf.startsWith('127.')) found.add(`${leaf}/${bits}`)
  }
  return [...found]
}

/** RTF_LOCAL and RTF_ANYCAST from linux/ipv6_route.h. */
const ownFlags = 0x8010_0000

/** Parses ipv6_route (proc(5)): destination, its bits, source, its bits, next hop, metric, two counts, flags, interface. */
export function localIn6(text: string): readonly string[] {
  const found = new Set<string>()
  for (const line of text.split('\n')) {
    const [prefix = '', bits = '', , , , , , , flags = '0'] = line.trim().split(/\s+/)
    if ((Number.parseInt(flags, 16) & ownFlags) === 0 || bits === '00' || !/^[0-9a-f]{32}$/.test(prefix)) continue
    const address = ipaddr.fromByteArray([...Buffer.from(prefix, 'hex')]).toString()
    if (address !== '::1') found.add(`${address}/${Number.parseInt(bits, 16)}`)
  }
  return [...found]
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
