import { expect, test } from 'vitest'
import { exitText, signalMeant } from '../../src/run/exit-text.ts'

test('7: an exit code is not taken for a signal; what a shell means by it is added', () => {
  expect([1, 3, 127, 128, 130, 137, 139, 255].map(exitText)).toEqual([
    '1',
    '3',
    '127',
    '128',
    '130 (128 + SIGINT)',
    '137 (128 + SIGKILL)',
    '139 (128 + SIGSEGV)',
    '255',
  ])
  expect(signalMeant(134)).toMatch(/^SIG(ABRT|IOT)$/)
})
