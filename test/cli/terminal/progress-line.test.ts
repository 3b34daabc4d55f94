import { expect, test } from 'vitest'
import { progressLine } from '../../../src/cli/terminal/progress-line.ts'

function shown(isTTY: boolean, times: readonly number[]): string[] {
  const written: string[] = []
  const clock = [0, ...times]
  let at = 0
  {
    using line = progressLine(
      'copying the project',
      'files',
      { isTTY, write: (text) => written.push(String(text)) > 0 },
      () => clock[at] ?? 0,
    )
    for (at = 1; at < clock.length; at++) line.step()
  }
  return written
}

test('7: long work is counted in one line of the terminal, which is erased at its end', () => {
  expect(shown(true, [500, 1000, 1001, 1250])).toEqual([
    '\r\u001b[Kpaddock: copying the project: 2 files',
    '\r\u001b[Kpaddock: copying the project: 4 files',
    '\r\u001b[K',
  ])
})

test('7: work of less than a second, or without a terminal, shows no count', () => {
  expect(shown(true, [1, 2, 999])).toEqual([])
  expect(shown(false, [1, 2, 5000])).toEqual([])
})
