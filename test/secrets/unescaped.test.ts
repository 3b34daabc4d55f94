import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SearchedStream } from '../../src/secrets/searched.ts'
import { SpelledWords } from '../../src/secrets/spelled-words.ts'
import { Unescaped } from '../../src/secrets/unescaped.ts'

const code = (character: string, digits: number) => (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0')
const percent = (character: string) => [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
/** Ways to write one character, all of which are read as that character. */
const writings: Readonly<Record<string, (character: string) => string>> = {
  itself: (character) => character,
  percent,
  PERCENT: (character) => percent(character).toUpperCase(),
  json: (character) => `\\u${code(character, 4)}`,
  JSON: (character) => `\\u${code(character, 4).toUpperCase()}`,
  short: (character) => ({ '/': '\\/', '"': '\\"' })[character] ?? character,
  decimal: (character) => `&#${character.codePointAt(0)};`,
  hexadecimal: (character) => `&#x${code(character, 2)};`,
  name: (character) => ({ '/': '&sol;', '+': '&plus;', '&': '&amp;', '<': '&lt;', '=': '&equals;' })[character] ?? character,
}
const secretText = fc.stringMatching(/^[A-Za-z0-9+/=&<"_.~é€-]{12,60}$/)
/** A secret, with a way to write each of its characters. */
const written = secretText.chain((text) =>
  fc.array(fc.constantFrom(...Object.keys(writings)), { minLength: text.length, maxLength: text.length }).map((ways) => {
    const parts = [...text].map((character, at) => {
      const part = writings[ways[at] ?? 'itself']?.(character) ?? character
      // A bare & would be read together with the text after it.
      return part === '&' ? '&amp;' : part
    })
    return { text, parts }
  }),
)
const around = fc.stringMatching(/^[a-z ]{0,20}$/)

function pieces(data: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map((each) => each % (data.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, index) => data.subarray(from, at[index] ?? data.length))
}

describe('B5: escapes', () => {
  test('B5: a text with any mixture of escapes is read back, and each character keeps its position', () => {
    fc.assert(
      fc.property(written, ({ text, parts }) => {
        const raw = Buffer.from(parts.join(''))
        const view = new Unescaped()
        if (!view.read(raw)) return expect(parts.join('')).toBe(text)
        expect(view.bytes.toString()).toBe(text)
        let [offset, at] = [0, 0]
        for (const [index, character] of [...text].entries()) {
          const part = Buffer.byteLength(parts[index] ?? '')
          expect([view.startOf(offset), view.endOf(offset + Buffer.byteLength(character))]).toEqual([at, at + part])
          offset += Buffer.byteLength(character)
          at += part
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('B5: any bytes are read without an error, and every place is within them', () => {
    const bytes = fc.array(fc.oneof(fc.constantFrom(...Buffer.from('%\\&\r\n #;ux4lts')), fc.nat(255)), { maxLength: 60 })
    fc.assert(
      fc.property(bytes, (list) => {
        const raw = Buffer.from(list)
        const view = new Unescaped()
        if (!view.read(raw)) return
        expect(view.bytes.length).toBeLessThanOrEqual(raw.length)
        for (let at = 0; at < view.bytes.length; at++) {
          expect(view.startOf(at)).toBeLessThan(view.endOf(at + 1))
          expect(view.endOf(at + 1)).toBeLessThanOrEqual(view.startOf(at + 1))
        }
        expect(view.startOf(view.bytes.length)).toBeLessThanOrEqual(raw.length)
      }),
      { numRuns: 3_000 },
    )
  })
})

/** Returns the masked output of a stream: the bytes in place of the echo, and the rest. */
function masked(secret: string, before: string, echo: string, after: string, cuts: readonly number[]): { echo: string; rest: string } {
  const words = new SpelledWords([Buffer.from(secret)])
  const stream = new SearchedStream(() => words)
  const raw = Buffer.from(`${before}<${echo}>${after}`)
  const out = Buffer.concat([...pieces(raw, cuts).map((each) => stream.mask(each)), stream.rest()])
  expect(out.length).toBe(raw.length)
  const [from, to] = [Buffer.byteLength(before) + 1, Buffer.byteLength(`${before}<${echo}`)]
  return { echo: out.toString('latin1', from, to), rest: out.toString('utf8', 0, from) + out.toString('utf8', to) }
}

describe('B5: masking', () => {
  test('B5: a secret in any mixture of escapes is masked whole, and nothing around it', () => {
    fc.assert(
      fc.property(written, around, around, ({ text, parts }, before, after) => {
        const out = masked(text, before, parts.join(''), after, [])
        expect(out.echo).toMatch(/^\*+$/)
        expect(out.rest).toBe(`${before}<>${after}`)
      }),
      { numRuns: 1_000 },
    )
  })

  test('B5: a secret that itself contains what looks like an escape, or line breaks, is masked plain and escaped', () => {
    for (const secret of [
      'sk-%41-canary-%',
      'sk-\\n-canary-\\',
      'sk-&amp;-canary-&a',
      '-----BEGIN KEY-----\nMIIcanary\nabc=\n-----END KEY-----',
    ])
      for (const echo of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), [...secret].map(percent).join('')]) {
        const out = masked(secret, 'before', echo, 'after', [])
        expect([secret, echo, out.echo.replaceAll('*', '')]).toEqual([secret, echo, ''])
      }
  })

  test('B5: however such bytes are cut, nothing passes of the secret behind its first four characters', () => {
    fc.assert(
      fc.property(written, around, around, fc.array(fc.nat(), { maxLength: 30 }), ({ text, parts }, before, after, cuts) => {
        const out = masked(text, before, parts.join(''), after, cuts)
        const given = Buffer.byteLength(parts.slice(0, 4).join(''))
        expect(out.echo.slice(given)).toMatch(/^\*+$/)
        expect(out.rest).toBe(`${before}<>${after}`)
      }),
      { numRuns: 1_000 },
    )
  })

  test('B5: base64 in lines of any width, broken in any way, is masked but for what it shares with its surroundings', () => {
    const ends = fc.constantFrom('\n', '\r\n', '\n ', '\r\n\t', '\\n', '\\r\\n', '%0A', '%0D%0A', '&#10;')
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 12, maxLength: 90 }),
        fc.nat(8),
        fc.integer({ min: 4, max: 76 }),
        ends,
        (bytes, shift, width, end) => {
          const words = new SpelledWords([Buffer.from(bytes)])
          const stream = new SearchedStream(() => words)
          const coded = Buffer.concat([Buffer.alloc(shift, 'x'), bytes, Buffer.from('xx')]).toString('base64')
          const lines = coded.replace(new RegExp(`.{${width}}(?!$)`, 'g'), `$&${end}`)
          const out = Buffer.concat([stream.mask(Buffer.from(lines)), stream.rest()]).toString('latin1')
          const left = out.replaceAll(end, '').replaceAll('*', '')
          // Before and after it there are up to two characters that also contain bits of other bytes.
          expect(left.length).toBeLessThanOrEqual(coded.length - Math.floor((bytes.length * 4) / 3) + 2)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
