import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeParser } from '../../src/adapters/claude/output.ts'
import { codexParser } from '../../src/adapters/codex/output.ts'
import { adapters } from '../../src/adapters/find-adapter.ts'
import { geminiParser } from '../../src/adapters/gemini/output.ts'
import { grokParser } from '../../src/adapters/grok/output.ts'
import { opencodeParser } from '../../src/adapters/opencode/output.ts'
import type { AgentEvent } from '../../src/adapters/output/agent-events.ts'
import { noSummary, withEvent } from '../../src/adapters/output/run-summary.ts'
import { newParser } from '../support/parsers.ts'
import { recording, recordingNames } from './fixture.ts'

const clean = { code: 0, stderr: '' }
const json = (...lines: readonly object[]): readonly string[] => lines.map((line) => JSON.stringify(line))
/** The output of the bridge for agents that speak ACP. */
const acpLines = [
  { type: 'delta', text: 'Done.' },
  { type: 'tool-call', id: 't1', name: 'edit', input: { title: 'x' } },
  { type: 'tool-result', id: 't1', ok: true, text: 'written' },
  { type: 'usage', input: 25, output: 5, cachedInput: 15 },
  { type: 'cost', usd: 0.25 },
  { type: 'error', message: 'Authentication required', login: true },
  { type: 'result', ok: true },
]
const realLines = [
  ...new Set(recordingNames.flatMap((name) => recording(name).lines)),
  ...json(
    { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_795_300_000, rateLimitType: 'five_hour' } },
    { type: 'tool_call', toolCallId: 'a', toolName: 'run_terminal_cmd', rawInput: { command: 'ls' } },
    ...acpLines,
    { type: 'end', stopReason: 'EndTurn', usage: { input_tokens: 5 }, modelUsage: { 'grok-4': {} } },
  ),
]

function check(events: readonly AgentEvent[]): void {
  for (const event of events) {
    expect(typeof event.type).toBe('string')
    if (event.type === 'usage') {
      const { input, output, cachedInput } = event.usage
      for (const count of [input, output, cachedInput]) expect(count).toBeGreaterThanOrEqual(0)
    }
    if (event.type === 'rate-limit' && event.resetsAt !== null) expect(Number.isFinite(event.resetsAt)).toBe(true)
    JSON.stringify(event)
  }
}

describe.each(adapters.map((adapter) => [adapter.name, adapter] as const))('%s: hostile output', (_name, adapter) => {
  const exits = fc.record({ code: fc.option(fc.integer({ min: 0, max: 255 })), stderr: fc.string({ unit: 'binary' }) })

  test('any strings never throw and always end in one result', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), { maxLength: 20 }), exits, (lines, exit) => {
        const parser = newParser(adapter.name)
        const events = [...lines.flatMap((line) => parser.line(line)), ...parser.end(exit)]
        check(events)
        expect(events.some((event) => event.type === 'result')).toBe(true)
      }),
    )
  })

  test('real lines, cut, with bytes changed, in any order', () => {
    const mutated = fc
      .tuple(fc.constantFrom(...realLines), fc.nat(), fc.nat(), fc.string({ maxLength: 4 }), fc.constantFrom('cut', 'change', 'keep'))
      .map(([line, at, length, text, how]) => {
        const place = at % (line.length + 1)
        if (how === 'cut') return line.slice(0, place)
        return how === 'keep' ? line : line.slice(0, place) + text + line.slice(place + (length % 5))
      })
    fc.assert(
      fc.property(fc.array(mutated, { maxLength: 12 }), exits, (lines, exit) => {
        const parser = newParser(adapter.name)
        check([...lines.flatMap((line) => parser.line(line)), ...parser.end(exit)])
      }),
    )
  })

  test('real lines with any field replaced by any value', () => {
    const replaced = fc.tuple(fc.constantFrom(...realLines), fc.nat(), fc.jsonValue()).map(([line, at, value]) => {
      let place = 0
      const target = at % 40
      return JSON.stringify(JSON.parse(line), (_key, old) => (place++ === target + 1 ? value : old)) ?? 'null'
    })
    fc.assert(fc.property(fc.array(replaced, { maxLength: 8 }), (lines) => check(lines.flatMap(newParser(adapter.name).line))))
  })

  test('a line of megabytes stays bounded', () => {
    const parser = newParser(adapter.name)
    const huge = 'x'.repeat(5_000_000)
    for (const line of [huge, `{"type":"mystery","a":"${huge}"}`, `{"type":"${huge}`]) {
      const events = parser.line(line)
      check(events)
      expect(JSON.stringify(events).length).toBeLessThan(200_000)
    }
  })
})

describe('claude', () => {
  const at = 1_795_298_638_122

  test('an error is an error although the subtype says success, with the time of the limit from the event before', () => {
    const parser = claudeParser(() => at)
    const lines = json(
      { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_795_300_000, rateLimitType: 'five_hour' } },
      { type: 'assistant', is_api_error_message: true, error: 'rate_limit', message: { model: '<synthetic>', content: [] } },
      { type: 'result', subtype: 'success', is_error: true, result: "You've hit your limit", modelUsage: {}, total_cost_usd: 0 },
    )
    const summary = [...lines.flatMap(parser.line), ...parser.end({ code: 1, stderr: '' })].reduce(withEvent, noSummary)
    expect(summary).toMatchObject({ ok: false, rateLimit: { resetsAt: 1_795_300_000_000, final: true }, loginNeeded: null })
  })

  test('a limit that lets requests through does not count', () => {
    expect(claudeParser().line(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning' } }))).toEqual([])
  })

  test('lines that share a message id count once', () => {
    const parser = claudeParser()
    const message = { id: 'm', model: 'claude-x', usage: { input_tokens: 10, output_tokens: 1 }, content: [{ type: 'text', text: 'a' }] }
    const events = json({ type: 'assistant', message }, { type: 'assistant', message }).flatMap(parser.line)
    expect(events.reduce(withEvent, noSummary).usage).toEqual({ input: 10, output: 1, cachedInput: 0, model: 'claude-x' })
  })

  test('a text of a subagent is not the result', () => {
    const parser = claudeParser()
    const said = (text: string, parent: string | null): object => ({
      type: 'assistant',
      parent_tool_use_id: parent,
      message: { id: text, content: [{ type: 'text', text }] },
    })
    json(said('mine', null), said('theirs', 'toolu_1')).forEach(parser.line)
    expect(parser.end({ code: 1, stderr: '' }).at(-1)).toEqual({ type: 'result', ok: false, text: 'mine' })
  })

  test('a run that ended well without a result did not do its work', () => {
    expect(claudeParser().end(clean)).toEqual([
      { type: 'error', message: 'The agent ended without a result.' },
      { type: 'result', ok: false, text: '' },
    ])
  })
})

describe('codex', () => {
  test('only typed events tell of a limit, and a run that recovers is clean', () => {
    const parser = codexParser()
    const lines = json(
      { type: 'error', message: 'Reconnecting... 1/5 (429 Too Many Requests)' },
      { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: "You've hit your usage limit, try again at 5:00 PM" } },
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } },
    )
    const events = [...lines.flatMap(parser.line), ...parser.end(clean)]
    expect(events.filter((event) => event.type === 'rate-limit').map((event) => event.final)).toEqual([false])
    expect(events.reduce(withEvent, noSummary)).toMatchObject({ ok: true, loginNeeded: null })
  })

  test('changes of files and tools of servers are tool calls', () => {
    const parser = codexParser()
    const change = { id: 'c', type: 'file_change', changes: [{ path: 'a', kind: 'add' }], status: 'completed' }
    const tool = { id: 't', type: 'mcp_tool_call', server: 's', tool: 'x', arguments: {}, error: { message: 'no' }, status: 'failed' }
    expect(json({ type: 'item.completed', item: change }, { type: 'item.completed', item: tool }).flatMap(parser.line)).toEqual([
      { type: 'tool-call', id: 'c', name: 'file_change', input: change.changes },
      { type: 'tool-result', id: 'c', ok: true, text: '' },
      { type: 'tool-call', id: 't', name: 's.x', input: {} },
      { type: 'tool-result', id: 't', ok: false, text: 'no' },
    ])
  })
})

describe('gemini', () => {
  test.each([
    [41, 'login-needed'],
    [145, 'login-needed'],
    [173, 'rate-limit'],
    [53, 'error'],
  ])('exit code %i means %s', (code, type) => {
    expect(geminiParser().end({ code, stderr: '' })[0]?.type).toBe(type)
  })
})

describe('opencode', () => {
  test('refusals by status', () => {
    const error = (statusCode: number): string =>
      JSON.stringify({ type: 'error', error: { name: 'APIError', data: { message: 'no', statusCode } } })
    expect([401, 403, 429, 500].map((status) => opencodeParser().line(error(status))[0]?.type)).toEqual([
      'login-needed',
      'login-needed',
      'rate-limit',
      'error',
    ])
  })

  test('a run that was killed while it repeated refused requests is explained by its log', () => {
    const summary = opencodeParser().end(recording('opencode-rate-limit').exit).reduce(withEvent, noSummary)
    expect(summary.rateLimit).toMatchObject({ message: 'AI_APICallError: Rate limit reached for requests.', final: true })
  })
})

describe('grok, as documented', () => {
  test('text in deltas, a tool, usage, the end', () => {
    const parser = grokParser()
    const lines = json(
      { type: 'thought', data: 'hm' },
      { type: 'text', data: 'I ' },
      { type: 'text', data: 'look.' },
      { type: 'tool_call', toolCallId: '1', toolName: 'run_terminal_cmd', rawInput: { command: 'ls' } },
      { type: 'tool_call_update', toolCallId: '1', status: 'in_progress' },
      { type: 'tool_call_update', toolCallId: '1', status: 'completed', rawOutput: 'a' },
      { type: 'usage', usage: { input_tokens: 10, output_tokens: 3, cache_read_input_tokens: 5, reasoning_tokens: 2 } },
      { type: 'text', data: 'Done.' },
      { type: 'end', stopReason: 'EndTurn', total_cost_usd: 0.5, modelUsage: { 'grok-4': {} } },
    )
    expect([...lines.flatMap(parser.line), ...parser.end(clean)]).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', id: '1', name: 'run_terminal_cmd', input: { command: 'ls' } },
      { type: 'tool-result', id: '1', ok: true, text: 'a' },
      { type: 'usage', usage: { input: 15, output: 5, cachedInput: 5, model: null } },
      { type: 'text', text: 'Done.' },
      { type: 'usage', usage: { input: 15, output: 5, cachedInput: 5, model: 'grok-4' } },
      { type: 'cost', usd: 0.5 },
      { type: 'result', ok: true, text: 'Done.' },
    ])
  })

  test('a cancelled run does not count as success', () => {
    const parser = grokParser()
    parser.line('{"type":"end","stopReason":"Cancelled"}')
    expect(parser.line('{"type":"end","stopReason":"Cancelled"}').at(-1)).toMatchObject({ type: 'result', ok: false })
  })
})

describe('the reasoning of a model', () => {
  const lines: Readonly<Record<string, readonly object[]>> = {
    claude: [
      { type: 'assistant', message: { content: [{ type: 'thinking', thinking: 'First look.', signature: 'x' }] } },
      { type: 'assistant', message: { content: [{ type: 'thinking', thinking: '', signature: 'hidden' }] } },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'I look.' }] } },
    ],
    codex: [
      { type: 'item.started', item: { id: 'item_0', type: 'reasoning', text: '' } },
      { type: 'item.completed', item: { id: 'item_0', type: 'reasoning', text: 'First look.' } },
      { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'I look.' } },
    ],
    opencode: [
      { type: 'reasoning', part: { type: 'reasoning', text: 'First look.' } },
      { type: 'text', part: { type: 'text', text: 'I look.' } },
    ],
    grok: [
      { type: 'thought', data: 'First ' },
      { type: 'thought', data: 'look.' },
      { type: 'text', data: 'I look.' },
    ],
    acp: [
      { type: 'thought', text: 'First ' },
      { type: 'thought', text: 'look.' },
      { type: 'delta', text: 'I look.' },
    ],
  }

  test.each(Object.keys(lines))('%s: it is an event before the text, and is not the result', (name) => {
    const parser = newParser(name)
    const events = [...json(...(lines[name] ?? [])).flatMap(parser.line), ...parser.end(clean)]
    expect(events.filter(({ type }) => type === 'reasoning' || type === 'text' || type === 'result')).toEqual([
      { type: 'reasoning', text: 'First look.' },
      { type: 'text', text: 'I look.' },
      expect.objectContaining({ type: 'result', text: 'I look.' }),
    ])
  })
})

describe('a clean exit', () => {
  test.each(adapters.map((adapter) => [adapter.name, adapter] as const))('%s: standard error tells nothing then', (_name, adapter) => {
    const events = newParser(adapter.name).end({ code: 0, stderr: 'error: rate limit reached, please run /login' })
    expect(events.filter((event) => event.type === 'rate-limit' || event.type === 'login-needed')).toEqual([])
  })
})
