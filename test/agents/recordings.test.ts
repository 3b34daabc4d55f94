import { describe, expect, test } from 'vitest'
import { noSummary, withEvent } from '../../src/adapters/output/run-summary.ts'
import { newParser } from '../support/parsers.ts'
import { eventsOf, recording, recordingNames, summaryOf } from './fixture.ts'

const agents = ['claude', 'codex', 'gemini', 'opencode']

describe('recordings of the real CLIs', () => {
  test.each(agents)('%s: a clean run whose prose mentions limits and logins stays clean', (agent) => {
    for (const name of ['ok', 'overloaded-once']) {
      const summary = summaryOf(recording(`${agent}-${name}`))
      expect(summary).toMatchObject({ ok: true, rateLimit: null, loginNeeded: null, toolCalls: 2, unknownLines: 0 })
      expect(summary.resultText).toContain('rate limit (HTTP 429, "usage limit reached")')
    }
  })

  test.each(agents)('%s: tokens are counted, cached ones among the input', (agent) => {
    const usage = summaryOf(recording(`${agent}-ok`)).usage
    expect(usage?.input).toBeGreaterThan(10_000)
    expect(usage?.cachedInput).toBeGreaterThan(5_000)
    expect(usage?.cachedInput).toBeLessThan(usage?.input ?? 0)
    expect(usage?.output).toBeGreaterThan(20)
    expect(usage?.output).toBeLessThan(200)
  })

  test('each vendor counts the same run the same way', () => {
    expect(summaryOf(recording('claude-ok')).usage).toEqual({ input: 36951, output: 53, cachedInput: 24649, model: 'claude-sonnet-5-5' })
    expect(summaryOf(recording('claude-ok')).costUsd).toBeCloseTo(0.0275989)
    expect(summaryOf(recording('codex-ok')).usage).toEqual({ input: 28857, output: 51, cachedInput: 19245, model: null })
    expect(summaryOf(recording('gemini-ok')).usage).toEqual({ input: 36251, output: 53, cachedInput: 24188, model: 'gemini-2.5-flash' })
  })

  test.each(agents)('%s: tool calls come with their results', (agent) => {
    const events = eventsOf(recording(`${agent}-ok`))
    const calls = events.filter((event) => event.type === 'tool-call')
    const results = events.filter((event) => event.type === 'tool-result')
    expect(calls.map((call) => JSON.stringify(call.input))).toEqual([
      expect.stringContaining('made-by-the-script'),
      expect.stringContaining('cat RESULT.md'),
    ])
    expect(results.map((result) => result.id)).toEqual(calls.map((call) => call.id))
    expect(results[1]?.text).toContain('made-by-the-script')
    // gemini's own output does not contain the exit code of a command.
    expect(results.map((result) => result.ok)).toEqual([true, agent === 'gemini'])
  })

  test.each(agents)('%s: a refused login and a missing one are a login, nothing else', (agent) => {
    for (const name of ['login-refused', 'no-login']) {
      const summary = summaryOf(recording(`${agent}-${name}`))
      expect(summary.ok, name).toBe(false)
      expect(summary.loginNeeded, name).not.toBeNull()
      expect(summary.rateLimit, name).toBeNull()
    }
  })

  test.each(agents)('%s: a limit is a limit, nothing else', (agent) => {
    const summary = summaryOf(recording(`${agent}-rate-limit`))
    expect(summary.ok).toBe(false)
    expect(summary.rateLimit?.final).toBe(true)
    expect(summary.loginNeeded).toBeNull()
    expect(summary.rateLimit?.message).toMatch(/limit|quota/i)
  })

  test('codex tells when its limit ends', () => {
    expect(summaryOf(recording('codex-rate-limit')).rateLimit?.resetsAt).toBeGreaterThan(Date.now())
  })

  test.each(agents)('%s: a server that hangs up is an error, neither limit nor login', (agent) => {
    const summary = summaryOf(recording(`${agent}-hang-up`))
    expect(summary).toMatchObject({ ok: false, rateLimit: null, loginNeeded: null })
    expect(summary.errors).not.toEqual([])
  })

  test('nothing in the recordings is unknown', () => {
    for (const name of recordingNames)
      expect(
        eventsOf(recording(name)).filter((event) => event.type === 'unknown'),
        name,
      ).toEqual([])
  })
})

describe('4: the trouble with the model API that a recording shows', () => {
  const everywhere = agents.flatMap((agent) =>
    (
      [
        ['rate-limit', 'rate-limited'],
        ['login-refused', 'login-needed'],
        ['server-error', 'endpoint-failed'],
        ['garbage', 'endpoint-failed'],
        ['cut-off', 'endpoint-failed'],
        ['hang-up', 'endpoint-failed'],
      ] as const
    ).map(([name, kind]) => [agent, name, kind] as const),
  )
  // Its truncated answers leave no line anywhere. Only the gateway sees them.
  const silentOnes = ['opencode-cut-off']

  test.each(everywhere.filter(([agent, name]) => !silentOnes.includes(`${agent}-${name}`)))('%s, %s: %s', (agent, name, kind) => {
    expect(summaryOf(recording(`${agent}-${name}`)).trouble).toMatchObject({ kind, message: expect.stringMatching(/\S/) })
  })

  test.each(agents)('%s: none after a run that ended well, whatever its prose says and however often it tried again', (agent) => {
    for (const name of ['ok', 'overloaded-once']) expect(summaryOf(recording(`${agent}-${name}`)).trouble, name).toBeNull()
  })
})

describe('4: errors that are not of the model API', () => {
  const last = (agent: string, ...lines: readonly object[]) => {
    const parser = newParser(agent)
    const events = [...lines.flatMap((line) => parser.line(JSON.stringify(line))), ...parser.end({ code: 1, stderr: '' })]
    return events.reduce(withEvent, noSummary)
  }

  test.each([
    ['claude', { type: 'result', subtype: 'error_max_turns', is_error: true, result: 'too many turns' }],
    [
      'claude',
      {
        type: 'result',
        subtype: 'success',
        is_error: true,
        api_error_status: 400,
        terminal_reason: 'api_error',
        result: 'prompt is too long',
      },
    ],
    ['codex', { type: 'turn.failed', error: { message: 'the context window is full' } }],
    ['codex', { type: 'turn.failed', error: { message: 'unexpected status 400 Bad Request: no such model' } }],
    ['gemini', { type: 'result', status: 'error', error: { message: 'reached the turn limit' }, stats: {} }],
    [
      'gemini',
      { type: 'result', status: 'error', error: { message: '[API Error: {"error":{"code":400,"message":"too long"}}]' }, stats: {} },
    ],
    ['opencode', { type: 'error', error: { name: 'APIError', data: { message: 'no such model', statusCode: 404 } } }],
    ['opencode', { type: 'error', error: { name: 'MessageOutputLengthError', data: {} } }],
  ])('%s: %j', (agent, line) => {
    expect(last(agent, line)).toMatchObject({ ok: false, trouble: null, loginNeeded: null, rateLimit: null })
  })

  test('a line on standard error of a killed program that mentions a limit is not the cause', () => {
    const events = newParser('codex').end({ code: null, stderr: 'the server of a tool says: rate limit reached' })
    expect(events.reduce(withEvent, noSummary)).toMatchObject({ trouble: null, rateLimit: null })
  })

  test('an answer of the model ends the trouble before it', () => {
    const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, error_status: 500, error: 'server_error' }
    const answer = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'Here I am.' }] } }
    expect(last('claude', retry).trouble).toMatchObject({ kind: 'endpoint-failed', from: 'output' })
    expect(last('claude', retry, answer).trouble).toBeNull()
  })
})

describe('4: gemini, ended while it waited', () => {
  const summary = (stderr: string) => newParser('gemini').end({ code: null, stderr }).reduce(withEvent, noSummary)

  test('its log on standard error shows a limit with the time, and a failed server', () => {
    const waits = 'You have exhausted your capacity on this model. Your quota will reset after 1h0m3s.. Retrying after 3644958ms...'
    const { trouble } = summary(`YOLO mode is enabled.\n${waits}\n    at async main (x.js:1:1)\n`)
    expect(trouble).toMatchObject({ kind: 'rate-limited', from: 'standard error' })
    expect(trouble?.resetsAt).toBeGreaterThan(Date.now() + 3_500_000)
    expect(summary('Attempt 5 failed with status 500. Retrying with backoff... _ApiError: {}\n  status: 500\n}\n').trouble?.kind).toBe(
      'endpoint-failed',
    )
    expect(summary('Attempt 2 failed with status 401. Retrying with backoff... x\n').trouble?.kind).toBe('login-needed')
  })

  test('its exit code gives the status that the message of its result lacks', () => {
    const parser = newParser('gemini')
    const events = parser.line(JSON.stringify({ type: 'result', status: 'error', error: { message: '[API Error: slow down]' }, stats: {} }))
    expect([...events, ...parser.end({ code: 173, stderr: '' })].reduce(withEvent, noSummary).rateLimit).toMatchObject({
      final: true,
      message: '[API Error: slow down]',
    })
  })
})
