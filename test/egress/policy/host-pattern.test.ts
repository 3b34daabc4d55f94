import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { matchesPattern, parseHostPattern, wireName } from '../../../src/egress/policy/host-pattern.ts'

describe('parseHostPattern', () => {
  test.each([
    ['example.com', 'example.com'],
    ['API.Example.COM', 'api.example.com'],
    ['example.com.', 'example.com'],
    ['*.example.com', '*.example.com'],
    ['*.Example.com.', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.faß.example', '*.xn--fa-hia.example'],
    ['_acme-challenge.example.com', '_acme-challenge.example.com'],
    ['db', 'db'],
    ['*.svc.cluster.local', '*.svc.cluster.local'],
    ['*.me.github.io', '*.me.github.io'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%j becomes %j', (text, pattern) => {
    expect(parseHostPattern(text, 'test')).toBe(pattern)
  })

  test.each([
    '',
    '.',
    '*',
    '*.',
    '**.example.com',
    'a.*.com',
    '*example.com',
    'example..com',
    '.example.com',
    'example.com..',
    '*.com',
    '*.co.uk',
    '*.github.io',
    '*.githubusercontent.com',
    '*.corp',
    '*.kawasaki.jp',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '1.2.3.4.',
    'example.1',
    'foo.0x',
    '[::1]',
    '::1',
    'fe80::1%eth0',
    '１２７.0.0.1',
    'example。com',
    'example．com',
    'example｡com',
    'a%2eb.com',
    'a%00.com',
    'a b.com',
    'a\0.com',
    'a\r\nb.com',
    'a/b.com',
    'a@b.com',
    'a:b',
    'a?b',
    'a#b',
    'a\\b',
    '-a.com',
    'a-.com',
    '\u00ad.com',
    'a\u200db.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(127)}com`,
    'localhost',
    'foo.localhost',
    '℀.com',
  ])('%j is refused', (text) => {
    expect(() => parseHostPattern(text, 'place')).toThrow(PaddockError)
    expect(() => parseHostPattern(text, 'place')).toThrow(/^place: /)
  })

  test('any input gives a wire name or an error, and a wire name stays the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.domain(),
          fc.webAuthority(),
          fc.domain().map((name) => `*.${name}`),
        ),
        (text) => {
          let pattern: string
          try {
            pattern = parseHostPattern(text, 'test')
          } catch (error) {
            expect(error).toBeInstanceOf(PaddockError)
            return
          }
          expect(wireName(pattern.replace(/^\*\./, ''))).toBe(pattern.replace(/^\*\./, ''))
          expect(parseHostPattern(pattern, 'test')).toBe(pattern)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('matchesPattern', () => {
  test.each([
    ['example.com', 'example.com', true],
    ['example.com', 'www.example.com', false],
    ['*.example.com', 'www.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', 'badexample.com', false],
    ['*.example.com', '.example.com', false],
    ['*.example.com', 'www.example.com.evil.net', false],
  ])('%s and %s: %s', (pattern, name, matches) => {
    expect(matchesPattern(pattern, name)).toBe(matches)
  })
})

test('a name on the wire has no trailing dot, no empty label and no number at its end', () => {
  expect(wireName('A.Example')).toBe('a.example')
  for (const text of ['a.', '.a', 'a..b', '1.2.3.4', 'a.1', 'ä.de', 'a\0', '', '*']) expect(wireName(text)).toBeNull()
})
