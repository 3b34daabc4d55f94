import { expect, test } from 'vitest'
import type { CellAgent } from '../../src/cell/plan/spec.ts'
import type { CellReport } from '../../src/cell/report.ts'
import { CellSpans } from '../../src/telemetry/cell-spans.ts'
import { operationOf, secondBounds, tokenBounds } from '../../src/telemetry/genai-names.ts'
import type { Span } from '../../src/telemetry/otlp-json.ts'

const agent: CellAgent = { name: 'claude', family: 'anthropic', version: '2.1', model: 'large' }
const context = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isSampled: true, state: null }
const call = { host: 'a.example', port: 443, path: '/v1/messages', status: 200, failure: null, durationMs: 1500, endedAt: 5000 }
const report = (ending: CellReport['ending'] = { kind: 'exited', code: 0 }): CellReport =>
  ({
    ...{ cell: 'c0ffee', name: 'run claude', posture: 'L2', backend: 'bubblewrap', planHash: 'ab', ending, durationMs: 9000 },
    ...{ startedAt: new Date(1000).toISOString(), endedAt: new Date(10_000).toISOString() },
    egress: { mode: 'allowlist', connections: 2 },
  }) as CellReport
const of = (of: CellAgent = agent, content = false): CellSpans => new CellSpans(of, context, null, content)
const names = (spans: readonly Span[]): readonly unknown[] => spans.map(({ name, error }) => [name, error])

test('a tool without a result is unfinished at the end of the cell, and one that failed is an error', () => {
  const spans = of()
  spans.event({ type: 'tool-call', id: 'a', name: 'Bash', input: { command: 'private' } }, 2000)
  spans.event({ type: 'tool-call', id: 'b', name: 'Read', input: {} }, 2500)
  spans.event({ type: 'tool-result', id: 'a', ok: false, text: 'private' }, 3000)
  spans.event({ type: 'tool-result', id: 'unknown', ok: true, text: 'x' }, 3000)
  const ended = spans.end(report())
  expect(names(ended.spans)).toEqual([
    ['invoke_agent claude', null],
    ['execute_tool Bash', 'failed'],
    ['execute_tool Read', 'unfinished'],
  ])
  expect(ended.spans.slice(1)).toMatchObject([
    { parent: context.spanId, startedAt: 2000, endedAt: 3000 },
    { parent: context.spanId, startedAt: 2500, endedAt: 10_000 },
  ])
  expect(JSON.stringify(ended)).not.toContain('private')
})

test('content is only sent if it is wanted, cut, and without known secrets', () => {
  const spans = of(agent, true)
  spans.event({ type: 'tool-call', id: 'a', name: 'Bash', input: { key: `ghp_${'a1'.repeat(18)}` } }, 1)
  spans.event({ type: 'tool-result', id: 'a', ok: true, text: 'é'.repeat(10_000) }, 2)
  const attributes = spans.end(report()).spans[1]?.attributes ?? {}
  expect(attributes['gen_ai.tool.call.arguments']).toMatch(/^\{"key":"/)
  expect(attributes['gen_ai.tool.call.arguments']).not.toContain('a1a1')
  expect(attributes['gen_ai.tool.call.result']).toHaveLength(8192)
})

test('tokens and durations are histograms by the attributes of the conventions', () => {
  const spans = of()
  spans.modelCall(call)
  spans.modelCall({ ...call, durationMs: 20 })
  spans.modelCall({ ...call, status: 0, failure: 'unanswered' })
  spans.event({ type: 'usage', usage: { input: 70, output: 5, cachedInput: 0, model: 'large-2' } })
  const { histograms } = spans.end(report())
  const points = histograms.map(({ name, points: all }) => [
    name,
    all.map(({ attributes, values }) => [
      attributes['gen_ai.operation.name'],
      attributes['gen_ai.token.type'] ?? attributes['error.type'],
      values,
    ]),
  ])
  expect(points).toEqual([
    [
      'gen_ai.client.token.usage',
      [
        ['invoke_agent', 'input', [70]],
        ['invoke_agent', 'output', [5]],
      ],
    ],
    [
      'gen_ai.client.operation.duration',
      [
        ['chat', undefined, [1.5, 0.02]],
        ['chat', 'unanswered', [1.5]],
        ['invoke_agent', undefined, [9]],
      ],
    ],
  ])
  expect([tokenBounds.at(-1), secondBounds.at(-1)]).toEqual([67_108_864, 81.92])
})

test('a command is a trace without facts about models', () => {
  const ended = of({ name: 'command', family: 'none', version: null, model: null }).end(report({ kind: 'out-of-time' }))
  expect(names(ended.spans)).toEqual([['run claude', 'out-of-time']])
  expect(Object.keys(ended.spans[0]?.attributes ?? {}).filter((each) => each.startsWith('gen_ai'))).toEqual([])
  expect(ended.histograms).toEqual([])
})

test('spans beyond the limit are counted', () => {
  const spans = of()
  for (let each = 0; each < 5_010; each++) spans.modelCall(call)
  const ended = spans.end(report())
  expect(ended.spans).toHaveLength(5_001)
  expect(ended.spans[0]?.attributes['paddock.spans.dropped']).toBe(10)
})

test('a request of a model API is named by its path', () => {
  for (const [path, operation] of [
    ['/v1/messages', 'chat'],
    ['/v1/responses', 'chat'],
    ['/v1/chat/completions', 'chat'],
    ['/v1/completions', 'text_completion'],
    ['/v1/models/x:streamGenerateContent', 'generate_content'],
  ] as const)
    expect(operationOf(path)).toBe(operation)
})
