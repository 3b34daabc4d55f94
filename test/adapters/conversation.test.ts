import { expect, test } from 'vitest'
import { findAdapter } from '../../src/adapters/find-adapter.ts'
import { newParser } from '../support/parsers.ts'

const id = '0193c0de-1111-7222-8333-444455556666'
const opencodeId = 'ses_4c0ffee4c0ffee'
const installation = { program: '/usr/bin/agent', mounts: [], pathEntries: [], version: null }
const wishes = { model: null, args: ['--own'], baseUrl: null, home: '/home/agent', cwd: '/work' }

/** For each agent: how its output names the conversation, and the end of the command line that continues it. */
const agents = [
  ['claude', (given: string) => ({ type: 'system', subtype: 'init', session_id: given }), id, ['--resume', id, '--own']],
  ['codex', (given: string) => ({ type: 'thread.started', thread_id: given }), id, ['--own', 'resume', id, '-']],
  ['gemini', (given: string) => ({ type: 'init', session_id: given, model: 'm' }), id, ['--resume', id, '--own']],
  ['opencode', (given: string) => ({ type: 'step_start', sessionID: given }), opencodeId, ['--session', opencodeId, '--own']],
] as const

test.each(agents)('%s reports its conversation once, and gets the one to continue', (name, line, conversation, end) => {
  const adapter = findAdapter(name)
  const parser = newParser(adapter.name)
  const read = (given: string) => parser.line(JSON.stringify(line(given))).filter((each) => each.type === 'conversation')
  expect(read(conversation)).toEqual([{ type: 'conversation', id: conversation }])
  expect(read(conversation)).toEqual([])
  // It comes out of a cell, so anything that is not an id is ignored.
  for (const each of ['--dangerous-option', '-x', '', 'a b', '12345678', '../../../etc', 'x'.repeat(100)]) expect(read(each)).toEqual([])
  const { argv } = adapter.headless({ ...wishes, conversation }, installation)
  expect(argv.slice(-end.length)).toEqual(end)
  const fresh = adapter.headless(wishes, installation)
  expect(fresh.argv).toEqual(adapter.headless({ ...wishes, conversation: null }, installation).argv)
  expect(fresh.argv).not.toContain(conversation)
})

test('a command and an agent that is not known well enough cannot continue a conversation', () => {
  expect(['command', 'grok'].map((each) => findAdapter(each).sessions)).toEqual([undefined, undefined])
})
