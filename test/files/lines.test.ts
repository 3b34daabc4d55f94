import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Lines } from '../../src/files/lines.ts'

test('lines come out whole however a stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
        { maxLength: 10 },
      ),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
      (all, cuts) => {
        const bytes = Buffer.from(all.map((each) => `${each}\n`).join(''))
        const lines = new Lines(10_000)
        const found: string[] = []
        for (let at = 0, round = 0; at < bytes.length; round++) {
          const size = cuts[round % cuts.length] ?? 1
          found.push(...lines.take(bytes.subarray(at, at + size)))
          at += size
        }
        expect(found).toEqual(all)
      },
    ),
  )
})

test('a line that is too long is refused, also one that is whole', () => {
  const lines = new Lines(100)
  lines.take(Buffer.alloc(100, 'a'))
  expect(() => lines.take(Buffer.from('a'))).toThrow('too long')
  expect(() => new Lines(100).take(Buffer.from(`${'a'.repeat(101)}\n`))).toThrow('too long')
  expect(new Lines(100).take(Buffer.from(`${'a'.repeat(100)}\n`))).toEqual(['a'.repeat(100)])
})
