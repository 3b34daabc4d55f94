import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { SharedScreen } from '../../../src/cli/terminal/shared-screen.ts'

function screen(isCommand: boolean): {
  readonly shared: SharedScreen
  readonly output: PassThrough
  readonly printed: [string, boolean][]
} {
  const printed: [string, boolean][] = []
  const output = new PassThrough()
  const shared = new SharedScreen(isCommand, (line, isOnOwnLine) => printed.push([line, isOnOwnLine]))
  return { shared, output, printed }
}

test('5: a line is printed at once while a command only prints text', () => {
  const { shared, output, printed } = screen(true)
  shared.say('early')
  expect(printed).toEqual([])
  shared.follow(output)
  output.write('\u001b[?25lworking')
  shared.say('now')
  shared.say('and now')
  expect(printed).toEqual([
    ['early', true],
    ['now', false],
    ['and now', true],
  ])
  expect(shared.held()).toEqual([])
})

test.each(['\u001b[?1049h', '\u001b[?2004h', '\u001b[?1000;1006h'])(
  '5: a line waits while a command draws the screen or edits a line (%j)',
  (on) => {
    const { shared, output, printed } = screen(true)
    shared.follow(output)
    output.write(`text ${on.slice(0, 4)}`)
    output.write(on.slice(4))
    shared.say('later')
    expect(printed).toEqual([])
    output.write(`${on.replace('h', 'l')}\r\n`)
    expect(printed).toEqual([['later', true]])
  },
)

test('5: an agent is never interrupted, and its lines come at the end', () => {
  const { shared, output, printed } = screen(false)
  shared.follow(output)
  output.write('text')
  shared.say('later')
  expect(printed).toEqual([])
  expect(shared.held()).toEqual(['later'])
})
