import { describe, expect, test } from 'vitest'
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
    // gemini's own output does not tell the exit code of a command.
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
