import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { lazily } from '../../base/lazily.ts'
import { localRanges, type Ranges } from './local-routes.ts'

export type AddressKind =
  | 'public'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link-local'
  | 'unique-local'
  | 'site-local'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmarking'
  | 'reserved'
  | 'metadata'
  | 'transition'
  | 'own'
  | 'unreadable'

export interface AddressClass {
  /** True if a cell must not reach the address, unless an entry explicitly allows internal addresses. */
  readonly internal: boolean
  readonly kind: AddressKind
}

/** Addresses of this host, as hexadecimal bytes. */
export type OwnAddresses = Pick<ReadonlySet<string>, 'has'>

type Range = readonly [prefix: string, bits: number, kind: AddressKind]

/**
 * First match wins, so single addresses come before the ranges that contain them. Sources: the IANA special-purpose registries (RFC 6890)
 * and the clouds' own documentation.
 */
const ranges4 = table([
  ['169.254.169.254', 32, 'metadata'],
  ['168.63.129.16', 32, 'metadata'],
  ['100.100.100.200', 32, 'metadata'],
  ['192.0.0.192', 32, 'metadata'],
  ['255.255.255.255', 32, 'broadcast'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'transition'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
])

/**
 * Prefixes that contain an IPv4 address and that an honest resolver may return: mapped addresses (getaddrinfo with
 * AI_V4MAPPED) and the well-known NAT64 prefix (the only addresses of DNS64 networks). They are judged by the IPv4 address.
 */
const carriers = table([
  ['::ffff:0:0', 96, 'transition'],
  ['64:ff9b::', 96, 'transition'],
])

/**
 * The other formats that contain an IPv4 address (::/96, ::ffff:0:0:0/96, 64:ff9b:1::/48, Teredo, 6to4) are always refused. They are
 * obsolete or local to a site, a relay decides where they end, and the position of the address in 64:ff9b:1::/48 is unknown to outsiders.
 * 2001::/23 contains Teredo, ORCHID, and benchmarking. Nothing outside 2000::/3 is public unicast.
 */
const ranges6 = table([
  ['fd00:ec2::254', 128, 'metadata'],
  ['fd20:ce::254', 128, 'metadata'],
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['::', 96, 'transition'],
  ['::ffff:0:0:0', 96, 'transition'],
  ['64:ff9b:1::', 48, 'transition'],
  ['100::', 64, 'reserved'],
  ['2001:2::', 48, 'benchmarking'],
  ['2001::', 32, 'transition'],
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, 'transition'],
  ['3fff::', 20, 'documentation'],
  ['fc00::', 7, 'unique-local'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
])

const nat64 = lazily(() => addressBytes('64:ff9b::') ?? new Uint8Array(16))

const globalUnicast = table([['2000::', 3, 'public']])

/**
 * Returns all internal ranges in CIDR notation, for a packet filter. The ranges contain exactly the addresses that `classifyAddress` calls
 * internal. The IPv4 ranges are repeated in the IPv6 list with the NAT64 prefix. An address that is neither in 2000::/3 nor
 * under that prefix is internal as well.
 */
export function internalRanges(): Ranges {
  const cidr = ({ prefix, bits }: { prefix: Uint8Array; bits: number }): string => `${ipaddr.fromByteArray([...prefix])}/${bits}`
  const v4 = ranges4().map(cidr)
  return { v4, v6: [...ranges6().map(cidr), ...v4.map(carriedByNat64)] }
}

/** Returns the part of NAT64's well-known prefix (RFC 6052) that corresponds to an IPv4 range, both in CIDR notation. */
export function carriedByNat64(range: string): string {
  const [prefix = '', bits] = range.split('/')
  const carried = Uint8Array.from([...nat64().subarray(0, 12), ...(addressBytes(prefix) ?? [0, 0, 0, 0])])
  return `${ipaddr.fromByteArray([...carried])}/${Number(bits ?? 32) + 96}`
}

/** Returns the subnets of the host's interfaces, including its own addresses, and its other local addresses, in CIDR notation. */
export function connectedSubnets(
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
  local: Ranges = localRanges(),
): Ranges {
  const all = Object.values(interfaces).flatMap((each) => each ?? [])
  const cidrs = (family: 'IPv4' | 'IPv6') => all.flatMap((each) => (each.family === family && each.cidr !== null ? [each.cidr] : []))
  return { v4: [...new Set([...cidrs('IPv4'), ...local.v4])], v6: [...new Set([...cidrs('IPv6'), ...local.v6])] }
}

/**
 * Returns the addresses of the host itself and its other local addresses, including broadcasts, without the surrounding subnets, in CIDR
 * notation.
 */
export function hostRanges(interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(), local: Ranges = localRanges()): Ranges {
  const all = Object.values(interfaces).flatMap((each) => each ?? [])
  const single = (family: 'IPv4' | 'IPv6', bits: number) =>
    all.flatMap((each) => (each.family === family && !each.internal ? [`${each.address.replace(/%.*$/, '')}/${bits}`] : []))
  return { v4: [...new Set([...single('IPv4', 32), ...local.v4])], v6: [...new Set([...single('IPv6', 128), ...local.v6])] }
}

/**
 * Classifies an address given as text or as 4 or 16 bytes. Only text that inet_pton(3) accepts is an address: `127.1`,
 * `0x7f.1`, zone ids and anything else unreadable are internal.
 * @param own addresses of this host, see `ownAddresses()`. They are always internal.
 */
export function classifyAddress(address: string | Uint8Array, own: OwnAddresses = new Set()): AddressClass {
  const bytes = typeof address === 'string' ? addressBytes(address) : address
  if (bytes === null || (bytes.length !== 4 && bytes.length !== 16)) return { internal: true, kind: 'unreadable' }
  const plain = uncarried(bytes)
  const found =
    plain.length === 4 ? kindIn(ranges4, plain) : (kindIn(ranges6, plain) ?? (kindIn(globalUnicast, plain) === null ? 'reserved' : null))
  if (found !== null) return { internal: true, kind: found }
  return own.has(keyOf(plain)) ? { internal: true, kind: 'own' } : { internal: false, kind: 'public' }
}

/** Returns the current addresses of this host, for `classifyAddress`. Call it for each dial, because interfaces change. */
export function ownAddresses(
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
  local: Ranges = localRanges(),
): OwnAddresses {
  const own = new Set<string>()
  for (const each of Object.values(interfaces).flat()) {
    const bytes = each === undefined ? null : addressBytes(each.address.replace(/%.*$/, ''))
    if (bytes !== null) own.add(keyOf(uncarried(bytes)))
  }
  const ranges = [...local.v4, ...local.v6].flatMap((each) => {
    const [prefix, bits] = each.split('/')
    const bytes = addressBytes(prefix ?? '')
    return bytes === null ? [] : [{ prefix: bytes, bits: Number(bits) }]
  })
  return {
    has: (key) => {
      const bytes = Buffer.from(key, 'hex')
      return own.has(key) || ranges.some((each) => sharesPrefix(each.prefix, bytes, each.bits))
    },
  }
}

/** Returns false only if two addresses are certainly not those of one machine: they differ, and are not both addresses of this host. */
export function sameMachine(one: string, other: string, own: OwnAddresses): boolean {
  const [first, second] = [addressBytes(one), addressBytes(other)]
  if (first === null || second === null) return true
  const isHere = (bytes: Uint8Array): boolean =>
    own.has(keyOf(uncarried(bytes))) || ['loopback', 'unspecified'].includes(classifyAddress(bytes).kind)
  return keyOf(uncarried(first)) === keyOf(uncarried(second)) || (isHere(first) && isHere(second))
}

/** Returns the 4 or 16 bytes of an address that inet_pton(3) accepts; null for anything else. */
export function addressBytes(text: string): Uint8Array | null {
  if (isIP(text) === 0 || text.includes('%')) return null
  // ipaddr.js reads ::a.b.c.d as ::ffff:a.b.c.d, so a dotted tail of an IPv6 address is first rewritten as groups.
  const plain = text.includes(':') ? text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...quad) => dottedAsGroups(quad.slice(0, 4))) : text
  try {
    return Uint8Array.from(ipaddr.parse(plain).toByteArray())
  } catch {
    return null
  }
}

function dottedAsGroups(quad: readonly string[]): string {
  const hex = quad.map((each) => Number(each).toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 4)}:${hex.slice(4)}`
}

/** Returns the IPv4 address that a mapped or NAT64 address contains. Returns any other address unchanged. */
function uncarried(bytes: Uint8Array): Uint8Array {
  return bytes.length === 16 && kindIn(carriers, bytes) !== null ? bytes.subarray(12) : bytes
}

function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** Returns a function that parses the ranges on first use, because many cells have no network. */
function table(ranges: readonly Range[]): () => readonly { prefix: Uint8Array; bits: number; kind: AddressKind }[] {
  return lazily(() => ranges.map(([prefix, bits, kind]) => ({ prefix: Uint8Array.from(ipaddr.parse(prefix).toByteArray()), bits, kind })))
}

function kindIn(ranges: ReturnType<typeof table>, bytes: Uint8Array): AddressKind | null {
  return ranges().find((range) => sharesPrefix(range.prefix, bytes, range.bits))?.kind ?? null
}

function sharesPrefix(prefix: Uint8Array, bytes: Uint8Array, bits: number): boolean {
  if (prefix.length !== bytes.length) return false
  for (let index = 0; index * 8 < bits; index++) {
    const mask = 0xff & (0xff << Math.max(0, 8 - (bits - index * 8)))
    if ((((prefix[index] ?? 0) ^ (bytes[index] ?? 0)) & mask) !== 0) return false
  }
  return true
}
