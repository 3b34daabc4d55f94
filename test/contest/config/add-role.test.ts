import { expect, test } from 'vitest'
import { withRole } from '../../../src/contest/config/add-role.ts'

const head = 'schemaVersion: 1\nname: trial # which\n'
const rest = 'checks:\n  - { name: there, command: "true" }\n'
const chef = { name: 'chef', agent: 'claude', families: ['anthropic', 'openai'] }
const line = '- { name: chef, agent: claude, families: [ anthropic, openai ] }'

test.each([
  [
    'a block list with comments',
    `${head}participants:\n  # Who takes part.\n  - name: a\n    agent: codex # the one\n    # model: gpt-5\n\n# Checks.\n${rest}`,
    `${head}participants:\n  # Who takes part.\n  - name: a\n    agent: codex # the one\n    # model: gpt-5\n  ${line}\n\n# Checks.\n${rest}`,
  ],
  [
    'a list that is not indented',
    `${head}participants:\n- {name: a, agent: codex}\n${rest}`,
    `${head}participants:\n- {name: a, agent: codex}\n${line}\n${rest}`,
  ],
  [
    'a list at the end without a line feed',
    `${head}${rest}participants:\n  - name: a\n    agent: codex`,
    `${head}${rest}participants:\n  - name: a\n    agent: codex\n  ${line}`,
  ],
  [
    'lines that end as on Windows',
    `${head}participants:\n  - name: a\n    agent: codex\n${rest}`.replaceAll('\n', '\r\n'),
    `${head}participants:\n  - name: a\n    agent: codex\n  ${line}\n${rest}`.replaceAll('\n', '\r\n'),
  ],
  [
    'a list in flow style over lines',
    `${head}participants: [\n  { name: a, agent: codex }, # first\n]\n${rest}`,
    `${head}participants: [\n  { name: a, agent: codex }, ${line.slice(2)}, # first\n]\n${rest}`,
  ],
])('one more participant in %s leaves every other byte', (_, before, after) => {
  expect(withRole(before, 'participants', chef)).toBe(after)
})

test('a list that is not there yet, and JSON', () => {
  const judge = { name: 'j', agent: 'gemini' }
  const rubric = 'rubric: { dimensions: [{ id: quality, description: Good. }] }\n'
  const yaml = `${head}participants:\n  - { name: a, agent: codex }\n${rubric}`
  expect(withRole(`${yaml}checks: [{ name: there, command: "true" }]\n`, 'judges', judge)).toBe(
    `${yaml}checks: [{ name: there, command: "true" }]\n\njudges:\n  - { name: j, agent: gemini }\n`,
  )
  const json = {
    schemaVersion: 1,
    name: 'trial',
    participants: [{ name: 'a', agent: 'codex' }],
    checks: [{ name: 'there', command: 'true' }],
  }
  for (const text of [JSON.stringify(json), JSON.stringify(json, null, 2)])
    expect(JSON.parse(withRole(text, 'participants', chef))).toEqual({ ...json, participants: [...json.participants, chef] })
  const without = { ...json, rubric: { dimensions: [{ id: 'quality', description: 'Good.' }] } }
  expect(JSON.parse(withRole(JSON.stringify(without), 'judges', judge))).toEqual({ ...without, judges: [judge] })
})

test('a role that would make the contest invalid, or has no simple place, is refused', () => {
  const text = `${head}participants:\n  - { name: a, agent: codex }\n${rest}`
  expect(() => withRole(text, 'participants', { name: 'a', agent: 'claude' })).toThrow(/a cannot be added: .*is used twice: a/)
  expect(() => withRole(text, 'participants', { name: 'b', agent: 'cladue' })).toThrow(/cladue/)
  const anchored = `${head}participants: &all\n  - { name: a, agent: codex }\n${rest}`
  expect(withRole(anchored, 'participants', chef)).toContain(line)
  const aliased = `${head}participants:\n  - &a { name: a, agent: codex }\njudges: []\n${rest}`
  expect(withRole(aliased, 'participants', chef)).toContain(line)
  const ended = `${text}...\n`
  expect(() => withRole(ended, 'judges', { name: 'j', agent: 'gemini' })).toThrow('no simple place')
})
