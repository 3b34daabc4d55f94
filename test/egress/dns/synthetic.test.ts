import { expect, test } from 'vitest'
import { isSyntheticReverse, SyntheticAddresses } from '../../../src/egress/dns/synthetic.ts'

test('names get addresses in order, and keep them', () => {
  const names = new SyntheticAddresses(['a.example', 'b.example'])
  expect(names.addressOf('b.example')).toBe('198.18.0.2')
  expect(names.addressOf('c.example')).toBe('198.18.0.3')
  expect(names.addressOf('a.example')).toBe('198.18.0.1')
  expect(names.nameOf('198.18.0.3')).toBe('c.example')
  expect(names.nameOf('198.18.0.4')).toBeNull()
})

test('a full table of names: all different, no .0 and no .255, none outside 198.18/15, and then no more', () => {
  const names = new SyntheticAddresses()
  const given = new Set<string>()
  for (let index = 0; index < 100_000; index++) given.add(names.addressOf(`n${index}.example`) ?? '')
  expect(given.size).toBe(100_000)
  expect([...given].every((address) => /^198\.1[89]\.\d+\.(?!0$|255$)\d+$/.test(address))).toBe(true)
  expect(names.addressOf('one-more.example')).toBeNull()
  expect(names.addressOf('n7.example')).toBe('198.18.0.8')
})

test('reverse names of synthetic addresses', () => {
  expect(isSyntheticReverse('1.0.18.198.in-addr.arpa')).toBe(true)
  expect(isSyntheticReverse('1.0.19.198.in-addr.arpa')).toBe(true)
  expect(isSyntheticReverse('1.0.20.198.in-addr.arpa')).toBe(false)
  expect(isSyntheticReverse('x.1.0.18.198.in-addr.arpa')).toBe(false)
})
