import { userInfo } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { resolvePaths } from '../../src/base/paths.ts'

afterEach(() => void vi.unstubAllEnvs())

test('7: an empty or relative HOME is taken from the user database', () => {
  vi.stubEnv('HOME', '')
  expect(resolvePaths({ HOME: '' }).userHome).toBe(userInfo().homedir)
  expect(resolvePaths({ HOME: 'somewhere' }).userHome).toBe(userInfo().homedir)
  expect(resolvePaths({ HOME: '/home//me' }).userHome).toBe('/home/me')
})

test('data is in its XDG directory, or with everything else in PADDOCK_HOME', () => {
  expect(resolvePaths({ HOME: '/home/me' }).data).toBe('/home/me/.local/share/paddock')
  expect(resolvePaths({ HOME: '/home/me', XDG_DATA_HOME: '/data' }).data).toBe('/data/paddock')
  expect(resolvePaths({ HOME: '/home/me', XDG_DATA_HOME: '/data', PADDOCK_HOME: '/own' }).data).toBe('/own/data')
})

test('a relative PADDOCK_HOME is refused, because it would be another place in each directory', () => {
  expect(() => resolvePaths({ HOME: '/home/me', PADDOCK_HOME: 'own' })).toThrow('PADDOCK_HOME is not an absolute path: own.')
})
