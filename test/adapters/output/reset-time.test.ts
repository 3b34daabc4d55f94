import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeParser } from '../../../src/adapters/claude/output.ts'
import { resetTime } from '../../../src/adapters/output/reset-time.ts'

const now = Date.UTC(2026, 10, 21, 22, 0, 30)
const minute = 60_000
const hour = 60 * minute

describe('resetTime', () => {
  test.each([
    ['Claude AI usage limit reached|1795300000', 1_795_300_000_000],
    ['try again at 2026-11-22T01:00:00Z', Date.UTC(2026, 10, 22, 1)],
    ['try again in 3 hours 20 minutes.', now + 3 * hour + 20 * minute],
    ['Please try again in 1.5s.', now + 1_500],
    ['Your quota will reset after 18h20m0s.', now + 18 * hour + 20 * minute],
    ['try again in 2 days and 1 hour', now + 49 * hour],
    ["You've hit your limit · resets 3am (UTC)", Date.UTC(2026, 10, 22, 3)],
    ['resets 11:30pm (UTC)', Date.UTC(2026, 10, 21, 23, 30)],
    ['resets 12am (Europe/Berlin)', Date.UTC(2026, 10, 21, 23)],
    ['try again at Nov 25th, 2026 9:05 AM.', new Date(2026, 10, 25, 9, 5).getTime()],
  ])('%s', (text, expected) => {
    expect(resetTime(text, now)).toBe(expected)
  })

  test('a time of day in the zone of the host is within the next day', () => {
    const time = resetTime('try again at 11:05 PM.', now) ?? 0
    expect(new Date(time).getHours()).toBe(23)
    expect(new Date(time).getMinutes()).toBe(5)
    expect(time).toBeGreaterThan(now)
    expect(time).toBeLessThanOrEqual(now + 24 * hour)
  })

  test.each(['', 'try again later', 'resets 25pm', 'at 13:00 PM', 'in 0 seconds', 'after lunch', 'resets 3pm (Nowhere/Land)'])(
    '%j: no throw',
    (text) => {
      const time = resetTime(text, now)
      if (!text.includes('Nowhere')) expect(time).toBeNull()
    },
  )

  test('any text: a finite time or null', () => {
    const piece = fc.constantFrom(
      'in ',
      'at ',
      'resets ',
      '3',
      '12',
      ':',
      '59',
      ' PM',
      'am',
      ' (',
      'UTC',
      ')',
      ' hours',
      'h',
      'm',
      '|',
      '1795300000',
      'Nov ',
      ' 2026 ',
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 20 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 4e12 }), (text, time) => {
        const result = resetTime(text, time)
        expect(result === null || Number.isFinite(result)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

test.each(['Attempt 1 failed with status 429. Retrying after 5123ms...', 'rate limited; retrying in 12 seconds'])(
  '4: a pause of the CLI is not the end of a limit: %s',
  (message) => {
    expect(resetTime(message, 0)).toBeNull()
  },
)

test('4: the pause of claude before its next try is not the end of a limit', () => {
  const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 600_000, error_status: 429 }
  expect(claudeParser(() => 0).line(JSON.stringify(retry))).toEqual([
    { type: 'rate-limit', message: expect.any(String), resetsAt: null, final: false },
  ])
})
