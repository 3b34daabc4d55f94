import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { resolvePaths } from '../src/paths.ts'

test('7: an empty or relative HOME is taken from the user database', () => {
  expect(resolvePaths({ HOME: '' }).userHome).toBe(userInfo().homedir)
  expect(resolvePaths({ HOME: 'somewhere' }).userHome).toBe(userInfo().homedir)
  expect(resolvePaths({ HOME: '/home//me' }).userHome).toBe('/home/me')
})
