import { expect, test } from 'vitest'
import { isForPeople } from '../../src/base/unknown-line.ts'
import { agentText } from '../../src/cli/contest/event-text.ts'
import { eventLines } from '../../src/cli/run/event-lines.ts'
import { eventSentence } from '../../src/fleet/agents/event-sentence.ts'
import { type Line, Rows } from '../../web/pages/job/event-rows.ts'
import { newParser } from '../support/parsers.ts'

const heartbeat = '{"type":"tool_progress","tool_use_id":"toolu_1","heartbeat":true,"elapsed_time_seconds":30}'

test.each(['claude', 'codex', 'gemini', 'opencode', 'grok'])(
  '5: an event of %s that no parser knows is kept and not shown as text, and a line of prose is',
  (agent) => {
    const shown = (raw: string): unknown => {
      const events = newParser(agent).line(raw)
      expect(events).toEqual([{ type: 'unknown', line: raw }])
      const rows = new Rows()
      for (const each of events) rows.take({ n: 1, at: '2026-01-01T00:00:00.000Z', ...each } as unknown as Line)
      return events.map((each) => [eventLines(each, 0), agentText(each), eventSentence(each as never), rows.texts, rows.all.length])
    }
    expect(shown(heartbeat)).toEqual([[[], null, null, 0, 0]])
    expect(shown('out of paper')).toEqual([[['out of paper'], 'out of paper', 'out of paper', 1, 1]])
  },
)

test('5: a long event that was cut is not text, and prose with braces is', () => {
  expect(['{"type":"x","text":"y…', '{}', ' { "a": 1 }', ' '].map(isForPeople)).toEqual([false, false, false, false])
  expect(['{x} is missing', 'done {"a":1}'].map(isForPeople)).toEqual([true, true])
})

test('5: a result or tool call that failed without a text has no empty end', () => {
  expect(agentText({ type: 'result', ok: false, text: '' })).toBe('failed')
  expect(agentText({ type: 'result', ok: false, text: 'no paper' })).toBe('failed: no paper')
  expect(agentText({ type: 'tool-result', id: 'x', ok: false, text: '' })).toBe('→ failed')
})
