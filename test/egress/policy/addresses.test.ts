import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyAddress, ownAddresses } from '../../../src/egress/policy/addresses.ts'

/** The same ranges written a second time and matched by Node's own code, so that a mistake in one of the two is found. */
const internal4 = new BlockList()
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 168.63.129.16/32',
].flatMap((line) => line.split(' '))) {
  const [prefix = '', bits] = range.split('/')
  internal4.addSubnet(prefix, Number(bits), 'ipv4')
}
const special6 = new BlockList()
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) {
  const [prefix = '', bits] = range.split('/')
  special6.addSubnet(prefix, Number(bits), 'ipv6')
}
const unicast6 = new BlockList()
unicast6.addSubnet('2000::', 3, 'ipv6')

const quad = fc.ipV4()
/** Prefixes whose classes differ, with random bits after them. */
const near6 = fc
  .tuple(
    fc.constantFrom(
      '2000',
      '2001',
      '2002',
      '3fff',
      '3ffe',
      'fc00',
      'fd00',
      'fe80',
      'fec0',
      'ff02',
      '64',
      '100',
      '0',
      '2001:db8',
      '2001:1ff',
      '2001:200',
      '2620',
    ),
    fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 6, maxLength: 6 }),
  )
  .map(([prefix, rest]) =>
    [...prefix.split(':'), ...rest.map((each) => each.toString(16))]
      .slice(0, 8)
      .join(':')
      .replace(/^([^:]*(?::[^:]*){6})$/, '$1:1'),
  )

describe('classifyAddress', () => {
  test('IPv4: the same as a block list of Node that was written independently', () => {
    fc.assert(
      fc.property(quad, (address) => {
        expect(classifyAddress(address).internal).toBe(internal4.check(address, 'ipv4'))
      }),
      { numRuns: 5_000 },
    )
  })

  test('IPv4: both edges of every range', () => {
    for (const text of internal4.rules) {
      const [, prefix = '', bits = ''] = /IPv4 ([\d.]+)\/(\d+)/.exec(text) ?? []
      const start = prefix.split('.').reduce((sum, each) => sum * 256 + Number(each), 0)
      const end = start + 2 ** (32 - Number(bits)) - 1
      const spell = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
      for (const value of [start - 1, start, end, end + 1]) {
        if (value < 0 || value > 0xffffffff) continue
        expect([spell(value), classifyAddress(spell(value)).internal]).toEqual([spell(value), internal4.check(spell(value), 'ipv4')])
      }
    }
  })

  test('IPv6: public unicast only, without the special ranges in it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), near6), (address) => {
        if (isIP(address) !== 6 || /^(?:0*:)*:?(?:ffff|64:ff9b)/i.test(address) || address.includes('.')) return
        expect([address, classifyAddress(address).internal]).toEqual([
          address,
          !unicast6.check(address, 'ipv6') || special6.check(address, 'ipv6'),
        ])
      }),
      { numRuns: 5_000 },
    )
  })

  test('an IPv4 address that an IPv6 one carries is judged as itself, or the whole is refused', () => {
    fc.assert(
      fc.property(quad, (address) => {
        const internal = internal4.check(address, 'ipv4')
        expect(classifyAddress(`::ffff:${address}`).internal).toBe(internal)
        expect(classifyAddress(`64:ff9b::${address}`).internal).toBe(internal)
        const hex = address.split('.').map((each) => Number(each).toString(16).padStart(2, '0'))
        const [a, b, c, d] = hex
        const tail = `${a}${b}:${c}${d}`
        expect(classifyAddress(`::ffff:${tail}`).internal).toBe(internal)
        for (const spelling of [`::${address}`, `::ffff:0:${address}`, `64:ff9b:1::${address}`, `2002:${tail}::1`, `2001:0:${tail}::1`]) {
          expect([spelling, classifyAddress(spelling).internal]).toEqual([spelling, true])
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    ['169.254.169.254', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['::ffff:169.254.169.254', 'metadata'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['fe80::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['100::1', 'reserved'],
    ['2001:10::1', 'reserved'],
    ['2001:20::1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['4000::1', 'reserved'],
  ])('%s is internal: %s', (address, kind) => {
    expect(classifyAddress(address)).toEqual({ internal: true, kind })
  })

  test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1', '64:ff9b::808:808'])('%s is public', (address) => {
    expect(classifyAddress(address)).toEqual({ internal: false, kind: 'public' })
  })

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '010.0.0.1',
    '8.8.8.8 ',
    'fe80::1%eth0',
    '2606:4700::1%1',
    '1.2.3.4.5',
    '[::1]',
    '::ffff:8.8.8',
  ])('%j is unreadable and so internal', (address) => {
    expect(classifyAddress(address)).toEqual({ internal: true, kind: 'unreadable' })
  })

  test('bytes say the same as text, and any other length is unreadable', () => {
    expect(classifyAddress(Uint8Array.of(8, 8, 8, 8))).toEqual({ internal: false, kind: 'public' })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const found = classifyAddress(bytes)
        if (bytes.length !== 4 && bytes.length !== 16) expect(found.kind).toBe('unreadable')
        else if (bytes.length === 4) expect(found).toEqual(classifyAddress(bytes.join('.')))
      }),
    )
  })
})

test('the addresses of the host are internal, in every spelling', () => {
  const info = { netmask: '', mac: '', internal: false, cidr: null }
  const own = ownAddresses({
    eth0: [
      { ...info, address: '93.184.216.34', family: 'IPv4' },
      { ...info, address: '2606:4700::1', family: 'IPv6', scopeid: 0 },
    ],
  })
  for (const spelling of ['93.184.216.34', '::ffff:93.184.216.34', '64:ff9b::93.184.216.34', '2606:4700:0:0::1']) {
    expect(classifyAddress(spelling, own)).toEqual({ internal: true, kind: 'own' })
  }
  expect(classifyAddress('93.184.216.35', own).internal).toBe(false)
  const nobody = { v4: [], v6: [] }
  expect(classifyAddress('93.184.216.34', ownAddresses({}, nobody)).internal).toBe(false)
  // Ranges that the kernel accepts although no interface has them.
  const routed = ownAddresses({}, { v4: ['9.9.8.0/24'], v6: ['2606:4700:9::/48'] })
  for (const each of ['9.9.8.7', '::ffff:9.9.8.255', '64:ff9b::9.9.8.0', '2606:4700:9:1::5'])
    expect(classifyAddress(each, routed)).toEqual({ internal: true, kind: 'own' })
  for (const each of ['9.9.9.7', '2606:4700:a::5']) expect(classifyAddress(each, routed).internal).toBe(false)
})
