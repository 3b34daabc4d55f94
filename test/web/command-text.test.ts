import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandsIn } from '../../web/parts/command-text.ts'

const shown = (text: string): string =>
  commandsIn(text)
    .map((each) => (each.isCommand ? `[${each.text}]` : each.text))
    .join('')

test.each([
  ['The vault is locked. paddock vault unlock', 'The vault is locked. [paddock vault unlock]'],
  ['There is no job j-1. Run: paddock job list', 'There is no job j-1. Run: [paddock job list]'],
  ['Choose another name, or run: paddock agent delete one', 'Choose another name, or run: [paddock agent delete one]'],
  ['paddock vault list shows the names', '[paddock vault list] shows the names'],
  ['paddock apply', '[paddock apply]'],
  ['paddock answer q allow, or deny', '[paddock answer q allow], or deny'],
  ['paddock run claude    or    paddock run -- make test', '[paddock run claude]    or    paddock run -- make test'],
  ['Pass `next` of the page before unchanged', 'Pass [next] of the page before unchanged'],
  ['Run: rm -d a/b', 'Run: [rm -d a/b]'],
  ['Name a file that paddock fleet backup wrote', 'Name a file that paddock fleet backup wrote'],
  [
    'See it with paddock trust --show, then: paddock trust. Or run without it',
    'See it with paddock trust --show, then: [paddock trust]. Or run without it',
  ],
])('the commands of %j are found', (text, found) => {
  expect(shown(text)).toBe(found)
})

test('no text is lost but the backticks around a command', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('`', 'Run: ', 'paddock ', 'a', '. ', ': ', '\n', ', or ')).map((each) => each.join('')),
      (text) => {
        const plain = (each: string): string => each.replaceAll('`', '')
        expect(
          plain(
            commandsIn(text)
              .map((each) => each.text)
              .join(''),
          ),
        ).toBe(plain(text))
      },
    ),
  )
})
