import { expect, test } from 'vitest'
import { conversationOf } from '../../../src/cli/run/prompt.ts'

const id = '0d5c7f0a-1b1e-4a57-9f0c-3f0b8f6f0c11'

test('a conversation is continued with a prompt, by an id that no CLI takes for an option', () => {
  expect(conversationOf({ continue: id }, 'Go on.')).toBe(id)
  expect(conversationOf({}, 'Go on.')).toBeNull()
  expect(() => conversationOf({ continue: id }, null)).toThrow('--continue requires a prompt.')
  for (const each of ['--yolo', '-x', '1', '', 'a b', `${id}\n`, 'x'.repeat(65)])
    expect(() => conversationOf({ continue: each }, 'Go on.')).toThrow('--continue must be the id of a conversation')
})
