import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearest } from '../../src/base/nearest.ts'

describe('nearest', () => {
  const keys = ['participants', 'judges', 'rubric', 'checks', 'outputs', 'timeouts']
  test.each([
    ['particpants', 'participants'],
    ['judge', 'judges'],
    ['rubirc', 'rubric'],
    ['Check', 'checks'],
    ['time', 'timeouts'],
    ['zzz', null],
    ['', null],
  ])('%j: %s', (word, expected) => {
    expect(nearest(word, keys)).toBe(expected)
  })

  test('any word: a known one or null; a known one is its own nearest', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1, maxLength: 20 })), (word, known) => {
        const found = nearest(word, known)
        expect(found === null || known.includes(found)).toBe(true)
      }),
    )
    for (const key of keys) expect(nearest(key, keys)).toBe(key)
  })
})
