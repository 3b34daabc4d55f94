import { describe, expect, test } from 'vitest'
import { findAdapter } from '../../../src/adapters/find-adapter.ts'
import { PaddockError } from '../../../src/base/errors.ts'
import { parseContest } from '../../../src/contest/config/brief.ts'
import { familiesBehind } from '../../../src/contest/config/sense.ts'
import { roleKey } from '../../../src/contest/config/variants.ts'

const around = (participants: string): string => `schemaVersion: 1
name: trial
checks: [{ name: there, command: "true" }]
participants:
${participants}`

function problem(participants: string): string {
  try {
    parseContest(around(participants))
  } catch (error) {
    if (error instanceof PaddockError && error.code === 'BAD_INPUT') return error.message
    throw error
  }
  return 'ok'
}

test('each variant becomes a participant, and replaces the keys that it sets', () => {
  const config = parseContest(
    around(`  - name: first
    agent: codex
  - name: claude
    agent: claude
    model: sonnet
    limits: { timeout: 5m }
    variants:
      base: {}
      skill: { skills: [skills/tidy], limits: { pids: 100 } }
      gpt: { model: gpt-5, family: openai }
  - name: last
    agent: gemini`),
  )
  expect(config.participants).toEqual([
    { name: 'first', agent: 'codex' },
    {
      name: 'claude-base',
      agent: 'claude',
      model: 'sonnet',
      limits: { timeout: '5m' },
      variant: { of: 'claude', name: 'base', sets: [] },
    },
    {
      name: 'claude-skill',
      agent: 'claude',
      model: 'sonnet',
      limits: { pids: 100 },
      skills: ['skills/tidy'],
      variant: { of: 'claude', name: 'skill', sets: ['limits', 'skills'] },
    },
    expect.objectContaining({ name: 'claude-gpt', model: 'gpt-5', family: 'openai' }),
    { name: 'last', agent: 'gemini' },
  ])
  expect(config.participants.map((each) => familiesBehind(each, findAdapter(each.agent)))).toEqual([
    ['openai'],
    ['anthropic'],
    ['anthropic'],
    ['openai'],
    ['google'],
  ])
})

test('a variant and its keys are found in the file', () => {
  const config = parseContest(
    around(`  - { name: a, agent: codex, variants: { x: {}, y: { model: m } } }
  - { name: b, agent: codex, variants: { x: {} } }
  - { name: c, agent: codex }`),
  )
  expect(config.participants.map((_, index) => roleKey(config, 'participants', index))).toEqual([
    ['participants', 0, 'variants', 'x'],
    ['participants', 0, 'variants', 'y'],
    ['participants', 1, 'variants', 'x'],
    ['participants', 2],
  ])
  expect(roleKey(config, 'participants', 1, 'model')).toEqual(['participants', 0, 'variants', 'y', 'model'])
  expect(roleKey(config, 'participants', 1, 'agent')).toEqual(['participants', 0, 'agent'])
})

describe('each of these is refused with its place', () => {
  test.each([
    [
      'a name that another participant has',
      `  - { name: claude-skill, agent: codex }
  - name: claude
    agent: claude
    variants: { base: {}, skill: {} }`,
      'contest.yaml, line 8, column 27: participants[1].variants.skill is used twice: claude-skill',
    ],
    [
      'two participants with variants and the same name',
      `  - { name: claude, agent: claude, variants: { a: {} } }
  - { name: claude, agent: claude, variants: { b: {} } }`,
      'participants[0].name is used twice: claude',
    ],
    [
      'a name that is too long',
      `  - { name: claude, agent: claude, variants: { ${'a'.repeat(60)}: {} } }`,
      `makes the name claude-${'a'.repeat(60)}, which is not lower-case letters`,
    ],
    ['a name with other letters', '  - { name: claude, agent: claude, variants: { Skill: {} } }', 'participants[0].variants.Skill'],
    ['no variant', '  - { name: claude, agent: claude, variants: {} }', 'participants[0].variants must name at least one variant'],
    [
      'an unknown key',
      '  - { name: claude, agent: claude, variants: { a: { skill: [x] } } }',
      'participants[0].variants.a.skill is not a key of a contest; did you mean skills?',
    ],
    [
      'another agent in a variant',
      '  - { name: claude, agent: claude, variants: { a: { agent: codex } } }',
      'participants[0].variants.a.agent is not a key',
    ],
    [
      'skills for an agent that is not known to read any',
      '  - { name: one, agent: grok, variants: { a: { skills: [x] } } }',
      'participants[0].variants.a.skills is not for one-a: Paddock does not know where the agent grok reads skills',
    ],
    [
      'instructions for a command',
      '  - { name: one, agent: command, command: [x], instructions: rules.md }',
      'participants[0].instructions is not for one: Paddock does not know where its command reads instructions',
    ],
    [
      'skills for a program that speaks ACP',
      '  - { name: one, agent: acp, command: [./x], skills: [x] }',
      'participants[0].skills is not for one: Paddock does not know where its command reads skills',
    ],
    [
      'a program for a command',
      '  - { name: one, agent: command, command: [x], program: /x }',
      'participants[0].program is not for one: the agent command has its program in command',
    ],
    [
      'MCP servers for grok',
      '  - { name: one, agent: grok, mcp: { notes: { command: [x] } } }',
      'participants[0].mcp is not for one: Paddock does not know where the agent grok reads MCP servers',
    ],
    [
      'settings of a command',
      '  - { name: one, agent: command, command: [x], config: { a: 1 } }',
      'participants[0].config is not for one: Paddock does not know where its command reads settings',
    ],
    [
      'half a server',
      '  - { name: one, agent: claude, mcp: { notes: {} } }',
      'participants[0].mcp.notes must be { command: [PROGRAM, …] } or { url: URL }',
    ],
    ['a relative program', '  - { name: one, agent: claude, program: bin/x }', 'must be an absolute path, or start with ~/'],
    ['a skill elsewhere', '  - { name: one, agent: claude, skills: [../x] }', 'participants[0].skills[0] must stay inside'],
    ['skills of a judge', '  - { name: one, agent: claude }\njudges: [{ name: j, agent: codex, skills: [x] }]', 'judges[0].skills'],
  ])('%s', (_, participants, message) => {
    expect(problem(participants)).toContain(message)
  })

  test('once, if all variants share it', () => {
    const text = problem('  - { name: one, agent: cluade, variants: { a: {}, b: {} } }')
    expect(text).toMatch(/^contest\.yaml, line 5, column 18: participants\[0\]\.agent cannot be used/)
  })
})

test('a known program that speaks ACP takes skills, and any such program takes MCP servers', () => {
  expect(problem('  - { name: one, agent: acp, command: [./x], mcp: { notes: { command: [x] } }, family: google }')).toBe('ok')
  expect(problem('  - { name: one, agent: acp, command: [gemini, --acp], skills: [x], family: google }')).toBe('ok')
})
