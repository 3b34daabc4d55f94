import { BlockList } from 'node:net'
import fc from 'fast-check'
import { Address4, Address6 } from 'ip-address'
import { isLocalhost, isPrivate, isReserved, isSpecial } from 'is-in-subnet'
import { describe, expect, it } from 'vitest'
import { classifyAddress, internalRanges } from '../../src/egress/policy/addresses.ts'

/** Whether two independent packages of other authors call an address anything but global. These are judgements, not lists of ranges. */
const judges = {
  'ip-address': (address: string): boolean => !(address.includes(':') ? new Address6(address) : new Address4(address)).isGlobal(),
  // It cannot read dotted tails.
  'is-in-subnet': (address: string): boolean => {
    const plain = address.includes(':') ? new Address6(address).correctForm() : address
    return [isPrivate, isLocalhost, isReserved, isSpecial].some((judge) => judge(plain))
  },
}

/** Special addresses, and addresses near a boundary of a range more often than by chance. */
const boundary4 = fc
  .tuple(fc.constantFrom(...internalRanges().v4), fc.integer({ min: -2, max: 2 }), fc.boolean())
  .map(([range, step, end]) => {
    const [address = '', bits = '32'] = range.split('/')
    const first = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    const value = (first + (end ? 2 ** (32 - Number(bits)) - 1 : 0) + step + 2 ** 32) % 2 ** 32
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
  })
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
const boundary6 = fc
  .tuple(
    fc.constantFrom(
      '2001',
      '2001:db8',
      '2002',
      '2000',
      '3fff',
      '3ffe',
      '64:ff9b',
      '64:ff9b:1',
      'fc00',
      'fdff',
      'fe80',
      'fec0',
      'ff02',
      '100',
      '2001:2',
      '2001:20',
      '2606:2800',
    ),
    fc.array(group, { minLength: 4, maxLength: 4 }),
  )
  .map(([prefix, rest]) => `${prefix}::${rest.slice(0, 8 - prefix.split(':').length - 1).join(':')}`)

/**
 * Differences in which a package is stricter than Paddock. In the NAT64 and mapped prefixes, Paddock judges the embedded IPv4 address, and
 * the packages call the whole prefix special. Every other difference is a failure.
 */
const known = (address: string): boolean => address.includes(':') && /^(?:64:ff9b::|::ffff:)/.test(new Address6(address).correctForm())

describe('the classes of addresses, against independent packages', () => {
  it.each(Object.entries(judges))('nothing that %s calls special is public for us', (_, special) => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), boundary4, fc.ipV6(), boundary6), (address) => {
        if (special(address) && !known(address)) expect([address, classifyAddress(address).internal]).toEqual([address, true])
      }),
      { numRuns: 3000 },
    )
  })

  it('an IPv4 address that we call internal is special for at least one of them, so no public address is blocked', () => {
    // Only Paddock calls these internal: cloud metadata addresses in public ranges, and the retired 6to4 relay range.
    const ours = new Set(['168.63.129.16'])
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), boundary4), (address) => {
        if (!classifyAddress(address).internal || ours.has(address) || address.startsWith('192.88.99.')) return
        expect([address, Object.values(judges).some((special) => special(address))]).toEqual([address, true])
      }),
      { numRuns: 3000 },
    )
  })

  it('the ranges of the packet filter are the same as the classes, by Node’s own block list', () => {
    const list = new BlockList()
    const { v4, v6 } = internalRanges()
    for (const each of v4) list.addSubnet(each.split('/')[0] ?? '', Number(each.split('/')[1]), 'ipv4')
    for (const each of v6) list.addSubnet(each.split('/')[0] ?? '', Number(each.split('/')[1]), 'ipv6')
    const open = new BlockList()
    open.addSubnet('2000::', 3, 'ipv6')
    open.addSubnet('64:ff9b::', 96, 'ipv6')
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), boundary4, fc.ipV6(), boundary6), (address) => {
        const family = address.includes(':') ? 'ipv6' : 'ipv4'
        // Node treats a mapped address as the IPv4 address in it. The filter never sees one, because the kernel sends IPv4.
        if (/^::ffff:/i.test(address)) return
        const passes = !list.check(address, family) && (family === 'ipv4' || open.check(address, 'ipv6'))
        expect([address, passes]).toEqual([address, !classifyAddress(address).internal])
      }),
      { numRuns: 3000 },
    )
  })
})
