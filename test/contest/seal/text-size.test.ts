import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textSize } from '../../../src/contest/seal/text-size.ts'

test.each([
  ['', 0, 0],
  ['one', 1, 1],
  ['one two\n', 1, 2],
  ['a\n\n b\tc', 3, 3],
  ['one\0two\n', 0, 0],
])('%j has %i lines and %i words', (text, lines, words) => expect(textSize(Buffer.from(text))).toEqual({ lines, words }))

test('counts as wc does, which does not count a last line without an end', () => {
  const wc = (input: Buffer): number[] =>
    execFileSync('wc', ['-lw'], { input, env: { PATH: process.env['PATH'], LC_ALL: 'C' }, encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number)
  fc.assert(
    // Printable text, because GNU wc counts no word without a printable character.
    fc.property(fc.string({ unit: fc.constantFrom('a', 'B', '.', ' ', '\t', '\n', '\r', '\v', '\f'), maxLength: 60 }), (text) => {
      const { lines, words } = textSize(Buffer.from(`${text}\n`))
      expect([lines, words]).toEqual(wc(Buffer.from(`${text}\n`)))
    }),
    { numRuns: 100 },
  )
})
