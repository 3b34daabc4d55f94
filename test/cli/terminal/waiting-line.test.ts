import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitingLine } from '../../../src/cli/terminal/waiting-line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function shown(isTTY: boolean, afterMs: number): string {
  let text = ''
  const out = {
    isTTY,
    write: (part: string | Uint8Array): boolean => {
      text += String(part)
      return true
    },
  }
  {
    using _line = waitingLine('checking', out, () => Date.now())
    vi.advanceTimersByTime(afterMs)
  }
  vi.advanceTimersByTime(5_000)
  return text
}

test('a command that runs for over a second shows what it is doing, and erases the line at its end', () => {
  expect(shown(true, 2_100)).toBe(
    ['\r\u001b[Kpaddock: checking (1 s)', '\r\u001b[Kpaddock: checking (1 s)', '\r\u001b[Kpaddock: checking (2 s)', '\r\u001b[K'].join(''),
  )
})

test('nothing is shown for less, or without a terminal', () => {
  expect(shown(true, 900)).toBe('')
  expect(shown(false, 5_000)).toBe('')
})
