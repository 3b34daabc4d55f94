import { expect, test } from 'vitest'
import { findAdapter } from '../../src/adapters/registry.ts'
import { parseContest } from '../../src/contest/config/brief.ts'
import { kinOf } from '../../src/contest/config/sense.ts'

const contest = (judge: object, policy: string) =>
  JSON.stringify({
    schemaVersion: 1,
    name: 'trial',
    participants: [
      { name: 'one', agent: 'claude' },
      { name: 'two', agent: 'opencode', model: 'openai/gpt-5' },
    ],
    judges: [{ name: 'judge', ...judge }],
    judging: { policy },
    rubric: { dimensions: [{ id: 'quality', description: 'How good it is.' }] },
  })

test.each([
  [{ agent: 'claude' }, 'one', 'anthropic'],
  [{ agent: 'opencode', model: 'anthropic/claude-sonnet-4-5' }, 'one', 'anthropic'],
  [{ agent: 'opencode', model: 'openrouter/anthropic/claude-sonnet-4-5' }, 'one', 'anthropic'],
  [{ agent: 'codex' }, 'two', 'openai'],
  [{ agent: 'command', command: ['true'], family: 'anthropic' }, 'one', 'anthropic'],
])('%j is of the family of a participant, by agent and by model', (judge, participant, family) => {
  expect(kinOf(parseContest(contest(judge, 'warn')), findAdapter)).toEqual([{ judge: 0, participant, family }])
  expect(() => parseContest(contest(judge, 'distinct-family'))).toThrow(
    `judges[0].agent judge and participant ${participant} are both of the family ${family}`,
  )
})

test.each([
  { agent: 'gemini' },
  { agent: 'opencode' },
  { agent: 'opencode', model: 'xai/grok-4' },
  { agent: 'opencode', model: 'local/some-model' },
  { agent: 'command', command: ['true'] },
  { agent: 'claude', family: 'various' },
])('%j is of no family of a participant', (judge) => {
  expect(kinOf(parseContest(contest(judge, 'distinct-family')), findAdapter)).toEqual([])
})
