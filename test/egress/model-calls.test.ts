import { describe, expect, test } from 'vitest'
import { type EndedCall, ModelCalls, resetOf } from '../../src/egress/model-calls.ts'

const call = (change: Partial<EndedCall> = {}): EndedCall => ({
  ...{ host: 'api.x', port: 443, path: '/v1/messages', decision: 'allow', status: 200, durationMs: 100 },
  ...change,
})

function recorded(...calls: readonly Partial<EndedCall>[]) {
  const calls_ = new ModelCalls()
  for (const [at, each] of calls.entries()) calls_.requested(call(each), at)
  return calls_.summary()
}

describe('4: what the gateway keeps of model APIs', () => {
  test.each([
    ['a rate limit with its time', { status: 429, resetsAt: 5 }, { kind: 'refused', status: 429, resetsAt: 5 }],
    ['a refused login', { status: 401 }, { kind: 'refused', status: 401, resetsAt: null }],
    ['a failed server', { status: 529 }, { kind: 'refused', status: 529 }],
    ['an answer that was cut off', { cut: true }, { kind: 'cut', status: null }],
    ['no answer', { status: 0, durationMs: 40_000 }, { kind: 'unanswered', waitedMs: 40_000 }],
    ['no connection', { decision: 'deny', reason: 'unreachable', status: 502 }, { kind: 'unreachable', status: null }],
    ['no address', { decision: 'deny', reason: 'unresolvable', status: 502 }, { kind: 'unresolvable', status: null }],
    [
      'a login that has ended',
      { decision: 'deny', reason: 'no-credential', status: 401, detail: 'It ended.' },
      { kind: 'no-credential', status: null, why: 'It ended.' },
    ],
    [
      'a login that could not be renewed for now',
      { decision: 'deny', reason: 'not-renewed', status: 401, detail: 'No network.' },
      { kind: 'not-renewed', status: null, why: 'No network.' },
    ],
  ] as const)('%s', (_name, change, kept) => {
    expect(recorded(change)).toMatchObject({ answered: 0, failed: [{ host: 'api.x', count: 1, ...kept }] })
  })

  test.each([
    ['a request that was wrong by itself', { status: 400 }],
    ['one that a rule denied', { decision: 'deny', reason: 'rule', status: 403 }],
    ['one that the client gave up at once', { status: 0, durationMs: 500 }],
    ['another API of the vendor', { path: '/v1/messages/count_tokens', status: 429 }],
  ] as const)('nothing of %s', (_name, change) => {
    expect(recorded(change)).toBeNull()
  })

  test.each([
    '/v1/messages',
    '/v1/responses',
    '/backend-api/codex/responses',
    '/v1/chat/completions',
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent',
    '/v1internal:generateContent',
  ])('%s asks a model', (path) => {
    expect(recorded({ path, status: 500 })?.failed).toHaveLength(1)
  })

  test('an answer ends what failed before it; equal failures are counted, the newest last', () => {
    const [limited, failed] = [{ status: 429 }, { status: 500 }]
    expect(recorded(limited, failed, {})).toEqual({ answered: 1, failed: [] })
    expect(recorded({}, limited, failed, failed, limited)?.failed.map((each) => [each.status, each.count, each.at])).toEqual([
      [500, 2, 3],
      [429, 2, 4],
    ])
  })

  test('however many hosts fail, ten are kept', () => {
    const hosts = Array.from({ length: 50 }, (_, at) => ({ host: `h${at}.x`, status: 500 }))
    expect(recorded(...hosts)?.failed.map((each) => each.host)).toEqual(hosts.slice(40).map((each) => each.host))
  })
})

describe('4: when a limit ends by the headers of an answer', () => {
  const now = Date.parse('2026-11-22T14:00:00Z')
  const seconds = (count: number): number => now + count * 1000
  test.each([
    ['seconds', { 'retry-after': '3600' }, seconds(3600)],
    ['a date', { 'Retry-After': 'Sun, 22 Nov 2026 15:00:00 GMT' }, seconds(3600)],
    ['the limit of a subscription', { 'anthropic-ratelimit-unified-reset': '1795362000', 'retry-after': '60' }, 1_795_362_000_000],
    [
      'the exhausted one of several limits',
      {
        'anthropic-ratelimit-requests-remaining': '10',
        'anthropic-ratelimit-requests-reset': '2026-11-22T20:00:00Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-22T14:01:00Z',
      },
      seconds(60),
    ],
    ['a span', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1h2m3s' }, seconds(3723)],
    ['a limit with something left', { 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '6m0s' }, null],
    ['nothing', { 'content-type': 'text/plain' }, null],
    ['a value that is not a time', { 'retry-after': 'soon' }, null],
    ['the past', { 'retry-after': 'Sat, 21 Nov 2026 15:00:00 GMT' }, null],
    ['never', { 'retry-after': '999999999' }, null],
  ] as const)('%s', (_name, headers, at) => {
    expect(resetOf(Object.entries(headers), now)).toBe(at)
  })
})
