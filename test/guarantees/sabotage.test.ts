import { expect, test } from 'vitest'
import { guarantees } from '../../src/guarantees/chapters.ts'
import { sabotages } from './sabotages/all.ts'
import { publicSabotages } from './sabotages/public.ts'
import { restore } from './sabotages/sabotage.ts'
import { seesItBroken } from './sees-it-broken.ts'

/** One sabotage for each kind of mechanism; the deep tests have the others. */
const some = ['home-absent', 'later-not-written', 'host-loopback-unreachable', 'real-credentials-absent', 'processes-limited']

seesItBroken(some.flatMap((id) => sabotages.find((each) => each.id === id) ?? []))

test('every guarantee has a sabotage', () => {
  const broken = new Set([...sabotages, ...publicSabotages].map((each) => each.id))
  expect(guarantees.map((each) => each.id).filter((id) => !broken.has(id))).toEqual([])
})

test('every sabotage replaces a file that exists', () => {
  for (const each of [...sabotages, ...publicSabotages]) {
    each.break()
    restore()
  }
})
