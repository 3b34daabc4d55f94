import { expect, test } from 'vitest'
import { zonedTime } from '../../src/base/zoned-time.ts'

test('a time is shown as the clocks of its zone show it, with the name of the zone', () => {
  expect(zonedTime('2026-11-28T01:30:00.000Z', 'Europe/Berlin')).toBe('2026-11-28 02:30 Europe/Berlin')
  expect(zonedTime('2026-07-28T01:30:00.000Z', 'Europe/Berlin')).toBe('2026-07-28 03:30 Europe/Berlin')
  expect(zonedTime('2026-07-28T01:30:00.000Z', 'UTC')).toBe('2026-07-28 01:30 UTC')
})
