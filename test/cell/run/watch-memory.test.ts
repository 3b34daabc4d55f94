import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchMemory } from '../../../src/cell/run/watch-memory.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('memory is measured again within about a second, however slow a measurement is', async () => {
  const ended = new AbortController()
  let measured = 0
  const over = vi.fn()
  await watchMemory(
    async () => {
      measured++
      // A measurement of an hour, by the only clock that the watch reads. A twentieth of the time would be a pause of 20 hours.
      vi.advanceTimersByTime(3_600_000)
      return measured === 1 ? 0 : 2
    },
    1,
    ended.signal,
    over,
  )
  expect(over).toHaveBeenCalledOnce()
  expect(measured).toBe(3)
})
