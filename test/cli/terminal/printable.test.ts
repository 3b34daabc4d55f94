import { expect, test } from 'vitest'
import { printable } from '../../../src/cli/terminal/printable.ts'

test.each(['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e', '\u3164', '\ufe0f', '\u{e0041}', '\u{e0101}'])(
  'what nobody sees is shown: %j',
  (mark) => {
    expect(printable(`a${mark}b`)).not.toContain(mark)
  },
)
