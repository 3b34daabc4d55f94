import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/adapters/output/agent-events.ts'
import { noSummary, withEvent } from '../../src/adapters/output/run-summary.ts'
import { newParser } from '../support/parsers.ts'

const summary = (...events: readonly AgentEvent[]) => events.reduce(withEvent, noSummary)
const needed: AgentEvent = { type: 'login-needed', message: '401 Unauthorized' }

describe('a login that is asked for', () => {
  test.each(['claude', 'codex', 'gemini', 'grok', 'opencode'])('%s: in a line outside of its format', (agent) => {
    for (const line of ['Not logged in · Please run /login', 'Error: Unauthenticated']) {
      const parser = newParser(agent)
      const events = [...parser.line(line), ...parser.end({ code: 1, stderr: '' })]
      expect(summary(...events)).toMatchObject({ ok: false, loginNeeded: line })
    }
  })

  test('does not matter any more when the model has answered since', () => {
    expect(summary(needed).loginNeeded).toBe('401 Unauthorized')
    expect(summary(needed, { type: 'text', text: 'I begin.' }).loginNeeded).toBeNull()
    expect(summary(needed, { type: 'tool-call', id: '1', name: 'shell', input: null }).loginNeeded).toBeNull()
    expect(summary({ type: 'text', text: 'I begin.' }, needed).loginNeeded).toBe('401 Unauthorized')
  })

  test('is not read out of what an agent says, or out of lines of its format', () => {
    expect(summary({ type: 'text', text: 'Please run /login' }).loginNeeded).toBeNull()
    expect(summary({ type: 'unknown', line: '{"type":"new","text":"Please run /login"}' }).loginNeeded).toBeNull()
    expect(summary({ type: 'unknown', line: `Please run /login ${'x'.repeat(500)}` }).loginNeeded).toBeNull()
    expect(summary({ type: 'unknown', line: 'Please run /login' }, { type: 'result', ok: true, text: '' }).loginNeeded).toBeNull()
  })
})
