import { expect, test } from 'vitest'
import { printable, printableName } from '../../src/base/text.ts'

test.each(['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e', '\u3164', '\ufe0f', '\u{e0041}', '\u{e0101}'])(
  'an invisible character is shown: %j',
  (mark) => {
    expect(printable(`a${mark}b`)).not.toContain(mark)
  },
)

test('a name and a line show the same escapes; only a name tells a tab from a blank, and is cut', () => {
  const text = 'two\nlines\u202e and\ta \u001b[2J'
  expect(printable(text)).toBe('two\\u{a}lines\\u{202e} and a \\u{1b}[2J')
  expect(printableName(text)).toBe('two\\u{a}lines\\u{202e} and\\u{9}a \\u{1b}[2J')
  expect(printableName(Buffer.from([0x61, 0xff, 0x0a]))).toBe('a\\xff\\x0a')
  expect(printableName('x'.repeat(400))).toHaveLength(300)
})
