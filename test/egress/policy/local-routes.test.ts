import { expect, test } from 'vitest'
import { carriedByNat64, connectedSubnets, hostRanges } from '../../../src/egress/policy/addresses.ts'
import { localIn4, localIn6, localRanges } from '../../../src/egress/policy/local-routes.ts'

const trie = `Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     |-- 9.9.8.0
        /24 host LOCAL
     |-- 127.0.0.0
        /8 host LOCAL
     |-- 198.51.100.2
        /32 host LOCAL
     |-- 198.51.100.255
        /32 link BROADCAST
Id 100:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 host LOCAL
     |-- 8.8.8.8
        /32 host LOCAL
Local:
     |-- 10.1.1.1
        /32 host LOCAL
        /24 link UNICAST
`
const route = (prefix: string, bits: string, flags: string) =>
  `${prefix} ${bits} ${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00000000 00000004 00000000 ${flags}     eth0`

test('local and broadcast routes are read out of the tables that every packet is looked up in', () => {
  expect(localIn4(trie)).toEqual(['9.9.8.0/24', '198.51.100.2/32', '198.51.100.255/32', '10.1.1.1/32'])
  expect(localIn4('')).toEqual([])
  const six = [
    route('20010db8000000000000000000000000', '30', '80200001'),
    route('20010db8000100000000000000000001', '80', '00100001'),
    route('20010db8000200000000000000000000', '40', '00000001'),
    route('00000000000000000000000000000001', '80', '80200001'),
    route('0'.repeat(32), '00', '80200001'),
    'no route at all',
  ]
  expect(localIn6(six.join('\n'))).toEqual(['2001:db8::/48', '2001:db8:1::1/128'])
})

test('the machine’s own are among them, and in what is kept out of reach', () => {
  const info = { netmask: '255.255.255.0', mac: '00:00:00:00:00:00', internal: false } as const
  const interfaces = { eth0: [{ ...info, address: '198.51.100.2', family: 'IPv4' as const, cidr: '198.51.100.2/24' }] }
  const local = { v4: ['9.9.8.0/24'], v6: [] }
  expect(connectedSubnets(interfaces, local)).toEqual({ v4: ['198.51.100.2/24', '9.9.8.0/24'], v6: [] })
  expect(hostRanges(interfaces, local)).toEqual({ v4: ['198.51.100.2/32', '9.9.8.0/24'], v6: [] })
  for (const each of localRanges().v4) expect(each).toMatch(/^\d+\.\d+\.\d+\.\d+\/\d+$/)
})

test('NAT64 carries a range of IPv4', () => {
  expect(carriedByNat64('93.184.216.35/32')).toBe('64:ff9b::5db8:d823/128')
  expect(carriedByNat64('10.0.0.0/8')).toBe('64:ff9b::a00:0/104')
  expect(carriedByNat64('8.20.30.40')).toBe('64:ff9b::814:1e28/128')
})
