import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../src/secrets/secret.ts'
import { SecretSearch, shortestSecret } from '../../src/secrets/secret-search.ts'

const value = 'pl4in/tok+en="q" with é and 12345'
const blank = /[\t-\r ]/g

/** Every encoding that a scan must see through. */
const ways: Readonly<Record<string, (text: string) => Buffer>> = {
  plain: (text) => Buffer.from(text),
  JSON: (text) => Buffer.from(JSON.stringify({ text })),
  'JSON with escaped slashes': (text) => Buffer.from(JSON.stringify({ text }).replaceAll('/', '\\/')),
  'percent-encoded': (text) => Buffer.from(`?a=${encodeURIComponent(text)}&b`),
  'percent-encoded in small letters': (text) => Buffer.from(encodeURIComponent(text).replace(/%../g, (each) => each.toLowerCase())),
  hex: (text) => Buffer.from(Buffer.from(text).toString('hex')),
  'hex in capitals': (text) => Buffer.from(Buffer.from(text).toString('hex').toUpperCase()),
  'hex in pairs': (text) => Buffer.from(Buffer.from(text).toString('hex').replace(/../g, '$& ')),
  base64: (text) => Buffer.from(Buffer.from(text).toString('base64')),
  'base64, one byte in': (text) => Buffer.from(Buffer.from(`x${text}y`).toString('base64')),
  'base64, two bytes in': (text) => Buffer.from(Buffer.from(`xx${text}yy`).toString('base64')),
  'base64 for URLs': (text) => Buffer.from(Buffer.from(text).toString('base64url')),
  'base64 in short lines': (text) => Buffer.from(Buffer.from(`abc${text}`).toString('base64').replace(/.{11}/g, '$&\r\n')),
  'UTF-16, little end first': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16, big end first': (text) => Buffer.from(text, 'utf16le').swap16(),
}

/** Returns the matches in bytes that arrive in pieces of these lengths, and then in one last piece. */
function inPieces(search: SecretSearch, bytes: Buffer, lengths: readonly number[]) {
  const stream = search.stream()
  const found = []
  let at = 0
  for (const length of lengths) {
    found.push(...stream.push(bytes.subarray(at, at + length)))
    at = Math.min(bytes.length, at + length)
  }
  found.push(...stream.push(bytes.subarray(at)))
  return found.map((each) => `${each.secret} ${each.end}`).sort()
}

test.each(Object.keys(ways))('finds a secret that is %s, wherever the pieces end', (way) => {
  using secret = Secret.fromText('it', value)
  using search = new SecretSearch([secret])
  const bytes = Buffer.concat([Buffer.from('before '), ways[way]?.(value) ?? Buffer.alloc(0), Buffer.from(' behind')])
  const whole = inPieces(search, bytes, [])
  expect(whole.length).toBeGreaterThan(0)
  for (let at = 0; at <= bytes.length; at++) expect(inPieces(search, bytes, [at])).toEqual(whole)
  expect(inPieces(search, bytes, Array(bytes.length).fill(1))).toEqual(whole)
})

const text = fc
  .string({ minLength: shortestSecret, maxLength: 60, unit: 'binary' })
  .filter((each) => each.isWellFormed() && !/^[\t-\r ]|[\t-\r ]$/.test(each))
const noise = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each))

test('any secret, written in any way, in any bytes, in any pieces: found, and the same as in one piece', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(text, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(noise, fc.nat(), fc.constantFrom(...Object.keys(ways))), { maxLength: 3 }),
      noise,
      fc.array(fc.nat(90), { maxLength: 12 }),
      (values, parts, end, lengths) => {
        const secrets = values.map((each, at) => Secret.fromText(`s${at}`, each))
        using search = new SecretSearch(secrets)
        const bytes = Buffer.concat([
          ...parts.flatMap(([before, at, way]) => [before, ways[way]?.(values[at % values.length] ?? '') ?? end]),
          end,
        ])
        const whole = inPieces(search, bytes, [])
        expect(inPieces(search, bytes, lengths)).toEqual(whole)
        for (const [, at] of parts) expect(whole.some((each) => each.startsWith(`s${at % values.length} `))).toBe(true)
        for (const each of secrets) each.dispose()
      },
    ),
    { numRuns: 300 },
  )
})

test('finds nothing that is not there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: shortestSecret, maxLength: 20, unit: fc.constantFrom('a', 'b') }), { minLength: 1, maxLength: 3 }),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 400 }),
      (values, bytes) => {
        const secrets = values.map((each, at) => Secret.fromText(`s${at}`, each))
        using search = new SecretSearch(secrets)
        for (const each of search.in(Buffer.from(bytes))) {
          const before = bytes.slice(0, each.end).replace(blank, '')
          expect(before.endsWith(values[Number(each.secret.slice(1))] ?? '')).toBe(true)
        }
        for (const [at, each] of values.entries())
          if (bytes.includes(each)) expect(search.in(Buffer.from(bytes)).some((one) => one.secret === `s${at}`)).toBe(true)
        for (const each of secrets) each.dispose()
      },
    ),
  )
})

test('a secret that is too short to be told from text is not looked for', () => {
  using secret = Secret.fromText('it', 'short')
  using search = new SecretSearch([secret])
  expect([search.isEmpty, search.in(Buffer.from('short short'))]).toEqual([true, []])
})

test('the spellings are wiped, and a hundred megabytes take a moment and no memory', () => {
  const secrets = Array.from({ length: 20 }, (_, at) => Secret.fromText(`s${at}`, `sk-ant-oat01-${'aBcDeFgH'.repeat(8)}${at}`))
  using search = new SecretSearch(secrets)
  const piece = Buffer.from('the quick brown fox jumps over the lazy dog\n'.repeat(6000))
  const stream = search.stream()
  const before = process.memoryUsage().rss
  for (let at = 0; at < 100; at++) expect(stream.push(piece)).toEqual([])
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2)
  for (const each of secrets) each.dispose()
})
