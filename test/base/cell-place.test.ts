import { expect, test } from 'vitest'
import { type Backends, backendFor, requireBackend } from '../../src/base/cell-place.ts'

const backends: Backends = [
  { name: 'bubblewrap', postures: ['L1', 'L2'] },
  { name: 'container', postures: ['L2'] },
  { name: 'vm', postures: ['L3'] },
]

test('auto is the first backend that builds cells of the level, and a name is only that backend', () => {
  const of = (posture: 'L1' | 'L2' | 'L3' | undefined, backend?: string) => backendFor(backends, { posture, backend })?.name
  expect([of('L1'), of(undefined), of('L3', 'auto')]).toEqual(['bubblewrap', 'bubblewrap', 'vm'])
  expect([of('L2', 'container'), of('L1', 'container'), of('L2', 'seatbelt')]).toEqual(['container', undefined, undefined])
})

test('a place of which no cell is built is refused by the option or key that names it, with those that are', () => {
  const refusal = (place: Parameters<typeof requireBackend>[1], origins = {}) => {
    try {
      return requireBackend(backends, place, origins).name
    } catch (error) {
      return `${(error as Error).message} ${(error as { hint?: string }).hint}`
    }
  }
  expect(refusal({ posture: 'L4' })).toBe('--posture L4: bubblewrap builds no cells of that isolation level here. Use one of: L1, L2, L3')
  expect(refusal({ posture: 'L1', backend: 'container' }, { posture: 'a.yaml:3: run.posture L1' })).toBe(
    'a.yaml:3: run.posture L1: container builds no cells of that isolation level here. Use one of: L2',
  )
  expect(refusal({ backend: 'seatbelt' })).toBe(
    '--backend seatbelt: it builds cells only on macOS. Use one of: auto, bubblewrap, container, vm',
  )
  expect(refusal({ backend: 'cloud' })).toBe(
    '--backend cloud: this machine has no such backend. Use one of: auto, bubblewrap, container, vm',
  )
  expect(refusal({ backend: 'none' })).toBe(
    '--backend none: only paddock run --posture L0 --i-know can use the bare host. Use one of: auto, bubblewrap, container, vm',
  )
})
