import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalPath } from '../../src/egress/requests/path.ts'
import { pathPattern, readingOf } from '../../src/egress/requests/path-pattern.ts'

const matches = (pattern: string, path: string, ignoreCase = false): boolean =>
  pathPattern(pattern, { ignoreCase }).matches(readingOf(path))

/** Returns the meaning of a pattern as a regular expression. It is exact, but unusable for a path that an attacker chose. */
function asRegExp(text: string, flags: string): RegExp {
  const canonical = canonicalPath(text).replace(/%(?:2[1-46-9A-E]|[3-6][0-9A-F]|7[0-9A-E])/gi, (coded) =>
    String.fromCharCode(Number.parseInt(coded.slice(1), 16)),
  )
  const segment = (part: string): string =>
    part
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, '[^/]*')
      .replaceAll('%2F', '(?:%2F|/)')
  const parts = canonical.split('/').slice(1)
  let source = '^'
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1
    if (part === '**') source += last ? '(?:/.*)?' : '(?:/[^/]+)*'
    else source += `/${part.split('**').map(segment).join('.*')}`
  }
  return new RegExp(`${source === '^' ? '^/' : source}$`, `${flags}s`)
}

const piece = fc.constantFrom('a', 'A', 'b', 'ab', '*', '**', '***', '/', '/', '/**/', '/*', '%2F', '%2f', '.', '%2A', '%25', ';')
const pattern = fc.array(piece, { maxLength: 9 }).map((parts) => `/${parts.join('')}`)
/** Includes paths that no reading can be: with empty segments, or without the leading slash. */
const path = fc
  .tuple(
    fc.constantFrom('/', '/', '/', ''),
    fc.array(fc.constantFrom('a', 'b', 'A', 'ab', '/', '/', '//', '%2F', '%2f', '.', '*', '%', '/a', '/b'), { maxLength: 12 }),
  )
  .map(([slash, parts]) => slash + parts.join(''))

describe('a pattern matches what the regular expression of its meaning matches', () => {
  test.each([false, true])('ignoring case: %s', (ignoreCase) => {
    let both = 0
    fc.assert(
      fc.property(pattern, path, (wanted, given) => {
        const expected = asRegExp(wanted, ignoreCase ? 'i' : '').test(given)
        if (expected) both++
        expect(matches(wanted, given, ignoreCase)).toBe(expected)
      }),
      { numRuns: 30_000 },
    )
    expect(both).toBeGreaterThan(300)
  })

  test('and paths that are made of the pattern are matched by both', () => {
    const filled = pattern.chain((wanted) =>
      fc
        .array(fc.constantFrom('', 'a', 'b/a', '/a', 'ab', '/', '/b/ab'), { minLength: 9, maxLength: 9 })
        .map((texts) => [wanted, wanted.replace(/\*+/g, () => texts.pop() ?? '').replace(/%2F/g, () => texts.pop() ?? '/')] as const),
    )
    fc.assert(
      fc.property(filled, ([wanted, given]) => {
        expect(matches(wanted, given)).toBe(asRegExp(wanted, '').test(given))
      }),
      { numRuns: 20_000 },
    )
  })
})

/** Paths of 8 KiB by an attacker that each pattern almost matches. The regular expressions above take minutes or longer. */
const almost: readonly (readonly [pattern: string, path: string])[] = [
  ['/**/admin/**/x', '/admin'.repeat(1_300)],
  ['/**/a/**/a/**/a/**/x', '/a'.repeat(4_000)],
  ['/**/a*/**/a*/**/a*/x', '/aa'.repeat(2_600)],
  ['/x**a*b**a*c', `/x${'a'.repeat(8_000)}`],
  ['/*a*a*a*a*a*b', `/${'a'.repeat(8_000)}`],
  ['/**%2F**%2F**%2Fx', '/a%2F'.repeat(1_600)],
  ['/a**a**a**a**b', `/${'a'.repeat(8_000)}`],
  ['/**/*a/**/*a/**/*a/y', `/${'a'.repeat(40)}`.repeat(195)],
]
/** A matcher that backtracks would practically never end, and the test would time out. */
test.each(almost)('%s ends over a path that almost matches', (wanted, given) => {
  const prepared = pathPattern(wanted, { ignoreCase: true })
  const reading = readingOf(given)
  expect(prepared.matches(reading)).toBe(false)
})
