import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedWords } from '../../web/pages/review/changed-words.ts'
import { linesOf } from '../../web/pages/review/diff-lines.ts'

const header = '--- a\n+++ b\n@@ -1,9 +1,9 @@\n'
/** Returns lines in pieces, with the changed pieces in brackets. */
const shown = (diff: string): readonly string[] => {
  const lines = linesOf(header + diff)
  return [...changedWords(lines)].map(([n, pieces]) => {
    expect(pieces.map(({ text }) => text).join('')).toBe(lines[n]?.text)
    return (lines[n]?.sign ?? '') + pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
  })
}

describe('what changed within lines', () => {
  test('changed words of a removed and an added line are marked', () => {
    expect(shown('-  "check": "node check.js",\n+  "check": "node check.js --all",\n   "x": 1')).toEqual([
      '-  "check": "node check.js",',
      '+  "check": "node check.js[ --all]",',
    ])
    expect(shown('-let a = first(b)\n+let a = second(b)')).toEqual(['-let a = [first](b)', '+let a = [second](b)'])
  })

  test('indentation and characters beyond the basic plane are whole pieces', () => {
    expect(shown('-  return value\n+    return value')).toEqual(['-[  ]return value', '+[    ]return value'])
    expect(shown('-say hello to 😀 now\n+say hello to 😁 now')).toEqual(['-say hello to [😀] now', '+say hello to [😁] now'])
  })

  test('several removed lines form pairs with the added ones in order, and a missing line feed is in no way', () => {
    expect(shown('-one two three\n-four five six\n\\ No newline at end of file\n+one two 3\n+four five 6\n+seven')).toEqual([
      '-one two [three]',
      '+one two [3]',
      '-four five [six]',
      '+four five [6]',
    ])
  })

  test('lines that have little in common, and lines without a counterpart, have no marks', () => {
    expect(shown('-import a\n+export default function main() {}')).toEqual([])
    expect(shown('-gone\n same\n+new')).toEqual([])
    expect(shown('+new\n-new')).toEqual([])
  })

  test('long lines, and diffs with many lines, have no marks', () => {
    const long = 'a b '.repeat(300)
    expect(shown(`-${long}1\n+${long}2`)).toEqual([])
    expect(shown('-one two 3\n+one two 4\n'.repeat(2_600))).toEqual([])
    expect(shown('-one two 3\n+one two 4\n'.repeat(2_000))).toHaveLength(4_000)
  })

  test('pieces joined are the line, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('-', '+', ' '), fc.string({ unit: 'grapheme' }))), (lines) => {
        shown(lines.map(([sign, text]) => sign + text.replaceAll('\n', '')).join('\n'))
      }),
    )
  })
})
