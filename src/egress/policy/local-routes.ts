import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { monotonicMs } from '../../monotonic.ts'

/** In CIDR notation. */
export interface Ranges {
  readonly v4: readonly string[]
  readonly v6: readonly string[]
}

/** Reading anew costs what the routing table is long. */
const freshMs = 1_000
let last: { readonly at: number; readonly ranges: Ranges } | null = null

/**
 * Returns what the kernel of this host takes for its own beyond the addresses of its interfaces: the routes of type local, broadcast and
 * anycast (ip-route(8)). Load balancers and the guest agents of clouds set them without any interface having the address. Read from
 * /proc/net/fib_trie and /proc/net/ipv6_route, at most a second old. Empty if there is no such file. Loopback is left out.
 */
export function localRanges(): Ranges {
  const now = monotonicMs()
  if (last === null || now - last.at > freshMs) {
    last = { at: now, ranges: { v4: localIn4(textOf('/proc/net/fib_trie')), v6: localIn6(textOf('/proc/net/ipv6_route')) } }
  }
  return last.ranges
}

/**
 * From the text of fib_trie: a leaf is an address, and below it a line for each prefix that begins there. Only the tables that every packet
 * is looked up in: a transparent proxy's own has `local 0.0.0.0/0`.
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

/** RTF_LOCAL and RTF_ANYCAST of linux/ipv6_route.h. */
const ownFlags = 0x8010_0000

/** From the text of ipv6_route (proc(5)): destination, its bits, source, its bits, next hop, metric, two counts, flags, interface. */
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
