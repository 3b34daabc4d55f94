import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inLab, notDeep, slow } from '../support/tiers.ts'

test('every test that a tier names exists', () => {
  expect([...slow, ...notDeep, ...inLab].filter((each) => !existsSync(each))).toEqual([])
})
