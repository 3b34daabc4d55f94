import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MaskStream } from '../../src/egress/placeholder/masked.ts'
import { Finder } from '../../src/secrets/finder.ts'
import { SearchedStream } from '../../src/secrets/searched.ts'
import { spellings } from '../../src/secrets/spellings.ts'

/** Uses only two letters, so that words and text collide as often as possible. */
const tight = (size: fc.IntArrayConstraints & { minLength?: number; maxLength?: number }) =>
  fc.array(fc.constantFrom(97, 98), size).map((each) => Buffer.from(each))
const words = fc.array(tight({ minLength: 6, maxLength: 12 }), { minLength: 1, maxLength: 6 })

function everyRange(data: Buffer, needles: readonly Buffer[]): string[] {
  const found: string[] = []
  for (const needle of needles)
    for (let at = data.indexOf(needle); at >= 0; at = data.indexOf(needle, at + 1)) found.push(`${at}-${at + needle.length}`)
  return [...new Set(found)].sort()
}

/** Cuts bytes into pieces at these places. */
function pieces(data: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map((each) => each % (data.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, index) => data.subarray(from, at[index] ?? data.length))
}

describe('the finder', () => {
  test('finds what a plain search finds', () => {
    fc.assert(
      fc.property(words, tight({ maxLength: 300 }), (needles, data) => {
        const found = new Finder(needles).ranges(data).map(([start, end]) => `${start}-${end}`)
        expect([...new Set(found)].sort()).toEqual(everyRange(data, needles))
      }),
      { numRuns: 500 },
    )
  })

  test('finds any word anywhere in any bytes', () => {
    const anything = fc.uint8Array({ minLength: 6, maxLength: 200 })
    fc.assert(
      fc.property(
        fc.array(anything, { minLength: 1, maxLength: 20 }),
        fc.uint8Array({ maxLength: 100 }),
        fc.nat(),
        (list, before, pick) => {
          const word = list[pick % list.length] ?? new Uint8Array(6)
          const data = Buffer.concat([before, word, before])
          const found = new Finder(list).ranges(data)
          expect(found).toContainEqual([before.length, before.length + word.length])
        },
      ),
      { numRuns: 500 },
    )
  })

  test('does not look for words that are too short, and forgets', () => {
    expect(new Finder([Buffer.from('abcde')]).empty).toBe(true)
    const finder = new Finder([Buffer.from('abcdef')])
    expect(finder.ranges(Buffer.from('xabcdefx'))).toEqual([[1, 7]])
    finder.forget()
    expect(finder.ranges(Buffer.from('xabcdefx'))).toEqual([])
  })
})

describe('masking', () => {
  test('is the same however the bytes are cut, but for the first three of a word', () => {
    fc.assert(
      fc.property(words, tight({ maxLength: 200 }), fc.array(fc.nat(), { maxLength: 20 }), (needles, data, cuts) => {
        const finder = new Finder(needles)
        const stream = new SearchedStream(() => finder)
        const out = Buffer.concat([...pieces(data, cuts).map((each) => stream.mask(each)), stream.rest()])
        const whole = Buffer.from(data)
        const given = new Set<number>()
        for (const [start, end] of finder.ranges(data)) {
          whole.fill('*', start, end)
          for (let at = start; at < start + 3; at++) given.add(at)
        }
        expect(out.length).toBe(data.length)
        for (let at = 0; at < out.length; at++) if (out[at] !== whole[at]) expect(given.has(at)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('lets nothing through of a secret in any spelling, byte by byte too', () => {
    const secret = Buffer.from('sk-ant-api03-canary/of+the=mine')
    const finder = new Finder(spellings(secret).map((each) => Buffer.from(each)))
    for (const spelt of [secret.toString(), encodeURIComponent(secret.toString()), secret.toString('hex'), secret.toString('base64')]) {
      for (const size of [1, 2, 3, 5, 7, 1_000]) {
        const stream = new SearchedStream(() => finder)
        const text = Buffer.from(`before ${spelt} after`)
        const cut = pieces(
          text,
          Array.from({ length: Math.floor(text.length / size) }, (_, index) => (index + 1) * size),
        )
        const out = Buffer.concat([...cut.map((each) => stream.mask(each)), stream.rest()]).toString()
        expect(out).toMatch(/^before .{0,3}\*+\w{0,2}={0,2} after$/)
        expect(out).toHaveLength(text.length)
      }
    }
  })

  test('holds nothing back that cannot be part of a secret', () => {
    const finder = new Finder([Buffer.from('sk-ant-secret')])
    const stream = new SearchedStream(() => finder)
    for (const token of ['data: {"text":"task"}\n\n', 'as', 's', 'sk', 'sk-', ' ', 'disk-'])
      expect(stream.mask(Buffer.from(token)).toString()).toBe(token)
    expect(stream.mask(Buffer.from('sk-an')).toString()).toBe('')
    expect(stream.mask(Buffer.from('other')).toString()).toBe('sk-another')
    expect(stream.mask(Buffer.from('xsk-ant-')).toString()).toBe('x')
    expect(stream.rest().toString()).toBe('sk-ant-')
  })

  test('knows words that are learnt on the way', async () => {
    let finder = new Finder([])
    const stream = new MaskStream(() => finder)
    const read = buffer(stream)
    await pipeline(
      Readable.from(
        (async function* () {
          yield Buffer.from('secret-one then ')
          finder = new Finder([Buffer.from('secret-one')])
          yield Buffer.from('secret-one')
        })(),
      ),
      stream,
    )
    expect((await read).toString()).toBe('secret-one then **********')
  })

  test('sees a word across borders once, in the piece that it ends in', () => {
    const finder = new Finder([Buffer.from('stand-in')])
    const stream = new SearchedStream(() => finder)
    expect(['a stan', 'd-', 'in', ' and', ' stand-in'].map((each) => stream.sees(Buffer.from(each)))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ])
  })
})
