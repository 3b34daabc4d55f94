import { expect, test } from 'vitest'
import { openPurse, type Used } from '../../../src/contest/state/purse.ts'

const used = (costUsd: number | null, tokens = 0, durationMs = 0): Used => ({
  costUsd,
  usage: tokens === 0 ? null : { input: tokens, output: 0 },
  durationMs,
})
const still = (): number => 0

test('no cell starts if one as dear as the dearest of its kind would pass the cap', () => {
  const purse = openPurse({ money: 1 }, still)
  purse.start('participant', 'a')?.ended(used(0.5))
  purse.start('participant', 'b')?.ended(used(0.1))
  // 0.6 + 0.5 is too much, 0.6 + 0.1 is not.
  expect([purse.start('participant', 'a'), purse.start('participant', 'b') !== null, purse.reached]).toEqual([null, true, 'money'])
  // A judge with that name counts separately.
  expect(purse.start('judge', 'a')).not.toBeNull()
})

test('those that run are counted as the dearest of their kind until they end', () => {
  const purse = openPurse({ money: 1 }, still)
  purse.note('participant', 'a', used(0.3))
  const two = [purse.start('participant', 'a'), purse.start('participant', 'a')]
  expect(purse.start('participant', 'a')).toBeNull()
  for (const each of two) each?.ended(used(0.1))
  two[0]?.ended(used(0.1))
  expect(purse.spent.money).toBeCloseTo(0.5, 12)
  expect(purse.start('participant', 'a')).not.toBeNull()
})

test('a participant that reports no money is counted by tokens', () => {
  const purse = openPurse({ tokens: 100 }, still)
  purse.start('participant', 'a')?.ended(used(null, 60))
  expect([purse.start('participant', 'a'), purse.start('participant', 'b') !== null, purse.reached]).toEqual([null, true, 'tokens'])
})

test('judges have caps of their own within those of all', () => {
  const purse = openPurse({ money: 10, judges: { money: 1 } }, still)
  purse.start('judge', 'j')?.ended(used(1))
  expect([purse.start('judge', 'k'), purse.start('participant', 'a') !== null, purse.reached]).toEqual([null, true, 'judges.money'])
})

test('time counts with the longest of its kind, and a cap of 0 starts nothing', () => {
  let now = 0
  const purse = openPurse({ wall: 1000 }, () => now)
  purse.start('participant', 'a')?.ended(used(null, 0, 400))
  now = 700
  expect([purse.start('participant', 'a'), purse.start('participant', 'b') !== null, purse.reached]).toEqual([null, true, 'wall'])
  for (const each of [{ money: 0 }, { tokens: 0 }, { wall: 0 }]) expect(openPurse(each, still).start('participant', 'a')).toBeNull()
})
