import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../../src/adapters/output/agent-events.ts'
import { noSummary, withEvent } from '../../../../src/adapters/output/run-summary.ts'
import { type TimedEvent, trajectoryDocument } from '../../../../src/adapters/output/trajectory/trajectory-document.ts'
import { TrajectorySteps } from '../../../../src/adapters/output/trajectory/trajectory-steps.ts'
import { eventsOf, recording, recordingNames } from '../../../agents/fixture.ts'
import { newParser } from '../../../support/parsers.ts'
import { followsAtif, type Trajectory } from './atif-rules.ts'

const start = Date.parse('2026-11-26T10:00:00.000Z')

async function textOf(events: readonly AgentEvent[], { agent = 'claude', limit = 64 * 1024 * 1024 } = {}): Promise<string> {
  const summary = events.reduce(withEvent, noSummary)
  const timed = async function* (): AsyncGenerator<TimedEvent> {
    for (const [index, event] of events.entries()) yield { at: new Date(start + index * 1000).toISOString(), event }
  }
  const facts = {
    id: '01k00000000000000000000000',
    session: summary.conversation,
    agent: { name: agent, version: '1.2.3', model: null },
    prompt: 'Please write RESULT.md.\n',
    startedAt: new Date(start).toISOString(),
    usage: summary.usage,
    costUsd: summary.costUsd,
  }
  let text = ''
  for await (const part of trajectoryDocument(timed(), facts, limit)) text += part
  return text
}

async function trajectoryOf(events: readonly AgentEvent[], options: { agent?: string; limit?: number } = {}): Promise<Trajectory> {
  return followsAtif(await textOf(events, options))
}

/** The output of the CLIs for which there is no recording, as documented. */
const others: Readonly<Record<string, readonly object[] | readonly string[]>> = {
  grok: [
    { type: 'thought', data: 'First I write.' },
    { type: 'text', data: 'I will ' },
    { type: 'text', data: 'write.' },
    { type: 'tool_call', toolCallId: 'a', toolName: 'write', rawInput: { path: 'RESULT.md' } },
    { type: 'usage', usage: { input_tokens: 10, output_tokens: 2 } },
    { type: 'tool_call_update', toolCallId: 'a', status: 'failed', rawOutput: { why: 'read-only' } },
    { type: 'text', data: 'Done.' },
    { type: 'usage', usage: { input_tokens: 5, cache_read_input_tokens: 5, output_tokens: 3 } },
    {
      type: 'end',
      stopReason: 'EndTurn',
      total_cost_usd: 0.5,
      modelUsage: { 'grok-4': {} },
      usage: { input_tokens: 20, output_tokens: 5 },
    },
  ],
  acp: [
    { type: 'delta', text: 'I will write.' },
    { type: 'tool-call', id: '1', name: 'edit', input: { title: 'write answer.txt' } },
    { type: 'tool-result', id: '1', ok: true, text: 'written' },
    { type: 'cost', usd: 0.25 },
    { type: 'delta', text: 'It is written.' },
    { type: 'usage', input: 25, output: 5, cachedInput: 15 },
    { type: 'result', ok: true },
  ],
  command: ['compiling', 'done'],
}

function otherEvents(agent: string): readonly AgentEvent[] {
  const parser = newParser(agent)
  const lines = (others[agent] ?? []).map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  return [...lines.flatMap((line) => parser.line(line)), ...parser.end({ code: 0, stderr: '' })]
}

describe('a trajectory of each CLI', () => {
  test.each(recordingNames)('%s follows the rules of ATIF', async (name) => {
    const one = recording(name)
    const text = await textOf(eventsOf(one), { agent: one.agent })
    followsAtif(text)
  })

  test.each(['claude', 'codex', 'gemini', 'opencode'])('%s: its calls have their arguments and results, step by step', async (agent) => {
    const { steps, agent: about } = await trajectoryOf(eventsOf(recording(`${agent}-ok`)), { agent })
    expect(about).toMatchObject({ name: agent, version: '1.2.3' })
    expect(steps.map((each) => each.source)).toEqual(['user', 'agent', 'agent', 'agent'])
    expect(steps[0]?.message).toBe('Please write RESULT.md.\n')
    expect(steps.map((each) => each.tool_calls?.length ?? 0)).toEqual([0, 1, 1, 0])
    expect(JSON.stringify(steps[1]?.tool_calls?.[0]?.arguments)).toContain('made-by-the-script')
    expect(steps[2]?.observation?.results[0]?.content).toContain('made-by-the-script')
    // gemini's own output does not contain the exit code of a command.
    expect(steps[2]?.observation?.results[0]?.extra).toEqual(agent === 'gemini' ? undefined : { is_error: true })
    expect(steps[3]?.message).toContain('Done. The retry code')
  })

  test('tokens are divided among the steps only if the CLI counts them step by step', async () => {
    const of = async (agent: string) => {
      const { steps, final_metrics } = await trajectoryOf(eventsOf(recording(`${agent}-ok`)), { agent })
      return { steps: steps.slice(1).map((each) => each.metrics?.['prompt_tokens']), total: final_metrics['total_prompt_tokens'] }
    }
    expect(await of('claude')).toEqual({ steps: [12254, 12316, 12381], total: 36951 })
    expect(await of('opencode')).toEqual({ steps: [7681, 7741, 7801], total: 23223 })
    // The lines of claude come before the model has written the whole message.
    const { steps } = await trajectoryOf(eventsOf(recording('claude-ok')))
    expect(steps[1]?.metrics).toEqual({ prompt_tokens: 12254, cached_tokens: 0 })
    expect(await of('codex')).toEqual({ steps: [undefined, undefined, undefined], total: 28857 })
    expect(await of('gemini')).toEqual({ steps: [undefined, undefined, undefined], total: 36251 })
  })

  test('grok, acp and any command', async () => {
    const grok = await trajectoryOf(otherEvents('grok'), { agent: 'grok' })
    expect(grok.steps.slice(1)).toMatchObject([
      {
        message: 'I will write.',
        reasoning_content: 'First I write.',
        tool_calls: [{ tool_call_id: 'a', function_name: 'write', arguments: { path: 'RESULT.md' } }],
        observation: { results: [{ source_call_id: 'a', content: '{"why":"read-only"}', extra: { is_error: true } }] },
        metrics: { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 0 },
      },
      { message: 'Done.', metrics: { prompt_tokens: 10, completion_tokens: 3, cached_tokens: 5 } },
    ])
    expect(grok.final_metrics).toEqual({
      ...{ total_prompt_tokens: 20, total_completion_tokens: 5, total_cached_tokens: 0, total_cost_usd: 0.5, total_steps: 3 },
    })
    const acp = await trajectoryOf(otherEvents('acp'), { agent: 'acp' })
    expect(acp.steps.map((each) => [each.message, each.metrics?.['cost_usd']])).toEqual([
      ['Please write RESULT.md.\n', undefined],
      ['I will write.', 0.25],
      ['It is written.', undefined],
    ])
    const command = await trajectoryOf(otherEvents('command'), { agent: 'command' })
    expect(command.steps.slice(1).map((each) => each.message)).toEqual(['compiling\ndone'])
    expect(command.final_metrics).toEqual({ total_steps: 2 })
  })

  test('a failure is a step of the system', async () => {
    const { steps } = await trajectoryOf(eventsOf(recording('claude-login-refused')))
    expect(steps.at(-1)).toMatchObject({ source: 'system', extra: { event: 'login-needed' } })
  })
})

const call = (id: string, input: unknown = {}): AgentEvent => ({ type: 'tool-call', id, name: 'bash', input })
const answer = (id: string, text = '', ok = true): AgentEvent => ({ type: 'tool-result', id, ok, text })
const thought = (said: string): AgentEvent => ({ type: 'reasoning', text: said })
const text = (said: string): AgentEvent => ({ type: 'text', text: said })

describe('the steps of a trajectory', () => {
  test('calls at the same time are one step, and a late result belongs to the step of its call', async () => {
    const { steps } = await trajectoryOf([
      call('a'),
      call('b'),
      answer('b', 'B'),
      text('So far'),
      call('c'),
      answer('a', 'A'),
      answer('c', 'C'),
    ])
    expect(steps.slice(1).map((each) => each.tool_calls?.map((one) => one.tool_call_id))).toEqual([['a', 'b'], ['c']])
    expect(steps[1]?.observation?.results.map(({ content }) => content)).toEqual(['B', 'A'])
    expect(steps[2]).toMatchObject({ message: 'So far', observation: { results: [{ source_call_id: 'c', content: 'C' }] } })
  })

  test('IDs that are empty or used twice are replaced, and a result without a call is a step of the system', async () => {
    const { steps } = await trajectoryOf([call(''), call('a'), call('a'), answer('a'), answer('nobody', 'lost', false)])
    expect(steps[1]?.tool_calls?.map((each) => each.tool_call_id)).toEqual(['#1', 'a', 'a#2'])
    expect(steps[1]?.observation?.results).toEqual([{ source_call_id: 'a#2', content: '' }])
    expect(steps[2]).toMatchObject({
      source: 'system',
      observation: { results: [{ content: 'lost', extra: { tool_call_id: 'nobody', is_error: true } }] },
    })
  })

  test('reasoning belongs to what the agent says or calls next', async () => {
    const { steps } = await trajectoryOf([
      thought('a'),
      thought('b'),
      text('1'),
      call('x'),
      answer('x'),
      thought('c'),
      call('y'),
      thought('d'),
    ])
    expect(steps.slice(1).map((each) => [each['reasoning_content'], each.message, each.tool_calls?.length])).toEqual([
      ['a\nb', '1', 1],
      ['c', '', 1],
      ['d', '', undefined],
    ])
  })

  test('an input that is not an object becomes one', async () => {
    const { steps } = await trajectoryOf([call('a', null), call('b', ['x']), call('c', 'ls')])
    expect(steps[1]?.tool_calls?.map((each) => each.arguments)).toEqual([{}, { input: ['x'] }, { input: 'ls' }])
  })

  test('the result of an agent that said nothing else is its message', async () => {
    const { steps } = await trajectoryOf([{ type: 'result', ok: true, text: 'All done.' }])
    expect(steps[1]).toMatchObject({ source: 'agent', message: 'All done.' })
  })

  test('secrets are redacted, and what other programs cannot read is replaced', async () => {
    const key = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_')
    const { steps } = await trajectoryOf([
      text(`token ${key}`),
      call('a', { [`half \ud83d`]: `${key} \ud83d` }),
      answer('a', `\udc00 ${key}`),
    ])
    expect(JSON.stringify(steps)).not.toContain(key)
    expect(steps[1]?.message).toBe('token [redacted]')
    expect(steps[1]?.tool_calls?.[0]?.arguments).toEqual({ 'half \ufffd': '[redacted] \ufffd' })
  })

  test('a trajectory that is too long is cut after a step, and says so', async () => {
    const long = Array.from({ length: 50 }, (_, index) => [call(`c${index}`), answer(`c${index}`, 'x'.repeat(1000))]).flat()
    const cut = await trajectoryOf(long, { limit: 10_000 })
    expect(cut.notes).toBe('The rest of the run is not in this file: it is too long.')
    expect(cut.steps.length).toBeLessThan(12)
    expect(cut.final_metrics['total_steps']).toBe(cut.steps.length)
    expect((await trajectoryOf(long)).notes).toBeUndefined()
    // The steps that wait for a result until the end of the run count as well.
    expect((await trajectoryOf([call('never'), ...long], { limit: 10_000 })).steps.length).toBeLessThan(12)
  })

  test('a call without a result holds later steps back only up to a limit, and its late result is a step of the system', () => {
    const steps = new TrajectorySteps()
    const done = [
      call('late'),
      ...Array.from({ length: 12 }, (_, index) => [call(`c${index}`), answer(`c${index}`, 'x'.repeat(1_000_000))]),
    ]
      .flat()
      .flatMap((each) => steps.add(each, null))
    expect(done.length).toBeGreaterThan(6)
    steps.add(answer('late', 'here'), null)
    expect(steps.end().at(-1)).toMatchObject({
      source: 'system',
      observation: { results: [{ content: 'here', extra: { tool_call_id: 'late' } }] },
    })
  })

  test('results without any text count too, so that an unanswered call does not hold all of them', () => {
    const steps = new TrajectorySteps()
    steps.add({ type: 'tool-call', id: 'open', name: 'Bash', input: {} }, null)
    let released = 0
    for (let each = 0; each < 60_000; each += 1)
      released += steps.add({ type: 'tool-result', id: `x${each}`, ok: true, text: '' }, null).length
    expect(released).toBeGreaterThan(0)
  })

  test('any order of events gives a valid trajectory', async () => {
    const id = fc.constantFrom('', 'a', 'b', 'c')
    const words = fc.string({ unit: 'binary' })
    const event: fc.Arbitrary<AgentEvent> = fc.oneof(
      words.map(text),
      words.map(thought),
      fc.tuple(id, fc.jsonValue()).map(([one, input]) => call(one, input)),
      fc.tuple(id, words, fc.boolean()).map(([one, said, ok]) => answer(one, said, ok)),
      fc
        .tuple(fc.nat(99), fc.nat(99))
        .map(([input, output]): AgentEvent => ({ type: 'usage', usage: { input, output, cachedInput: 0, model: null } })),
      fc.nat(9).map((usd): AgentEvent => ({ type: 'cost', usd })),
      words.map((message): AgentEvent => ({ type: 'error', message })),
      fc.tuple(fc.boolean(), words).map(([ok, said]): AgentEvent => ({ type: 'result', ok, text: said })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const { steps } = await trajectoryOf(events)
        const calls = events.filter((each) => each.type === 'tool-call').length
        expect(steps.flatMap((each) => each.tool_calls ?? [])).toHaveLength(calls)
      }),
    )
  })
})
