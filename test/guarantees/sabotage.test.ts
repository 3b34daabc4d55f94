import { expect, test } from 'vitest'
import { guarantees } from '../../src/guarantees/all.ts'
import { environmentSabotages } from './sabotages/environment.ts'
import { filesSabotages } from './sabotages/files.ts'
import { kernelSabotages } from './sabotages/kernel.ts'
import { namesSabotages } from './sabotages/names.ts'
import { networkSabotages } from './sabotages/network.ts'
import { publicSabotages } from './sabotages/public.ts'
import { seesItBroken } from './sees-it-broken.ts'

const sabotages = [...filesSabotages, ...environmentSabotages, ...networkSabotages, ...namesSabotages, ...kernelSabotages]

seesItBroken(sabotages)

test('every guarantee has a sabotage', () => {
  const broken = new Set([...sabotages, ...publicSabotages].map((each) => each.id))
  expect(guarantees.map((each) => each.id).filter((id) => !broken.has(id))).toEqual([])
})
