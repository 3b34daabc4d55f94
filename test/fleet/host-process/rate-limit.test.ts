import { expect, test } from 'vitest'
import { waitFor, waitsUntil } from '../../../src/fleet/host-process/rate-limit.ts'

const limited = (resetsAt: number | null) => ({ kind: 'rate-limited', resetsAt }) as const

test('a job waits until shortly after the reset of its limit, and longer each time if the reset is unknown', () => {
  expect(waitsUntil(limited(60_000), 0, 0, 0)).toBe(61_000)
  expect(waitsUntil(limited(60_000), 0, 0, 1)).toBe(70_000)
  expect(waitsUntil(limited(60_000), 3, 100_000, 0)).toBe(101_000)
  expect([0, 1, 2, 3, 4].map((waits) => waitsUntil(limited(null), waits, 0, 0))).toEqual([60_000, 300_000, 900_000, 3_600_000, 3_600_000])
})

test("it does not wait for other outcomes, longer than any vendor's limit, or for ever", () => {
  expect(waitsUntil({ kind: 'ran', resetsAt: 60_000 }, 0, 0, 0)).toBeNull()
  expect(waitsUntil(limited(9 * 86_400_000), 0, 0, 0)).toBeNull()
  expect(waitsUntil(limited(1), 50, 0, 0)).toBeNull()
})

test('waiting ends with its signal', async () => {
  const control = new AbortController()
  const waiting = waitFor(Number.MAX_SAFE_INTEGER, control.signal, () => 0)
  control.abort()
  await waiting
})
