import { expect, test } from 'vitest'
import { linkOf, waitingText } from '../../web/pages/inbox/waiting-text.ts'

test.each([
  [['ask'], 'One question is waiting for you.', 'Answer'],
  [['tool', 'tool'], '2 tool calls are waiting for you.', 'Answer'],
  [['egress'], 'One connection is waiting for you.', 'Answer'],
  [['login'], 'One agent needs a login.', 'Open'],
  [['key', 'key'], '2 agents need a key.', 'Open'],
  [['budget'], 'One budget is used up.', 'Open'],
  [['agent'], 'One agent cannot start.', 'Open'],
  [['ask', 'login', 'budget'], '3 things are waiting for you.', 'Answer'],
] as const)('what waits has its right name: %j', (kinds, text, link) => {
  const items = kinds.map((kind) => ({ kind }))
  expect(waitingText(items)).toBe(text)
  expect(linkOf(items[0] ?? { kind: 'ask' })).toBe(link)
})
