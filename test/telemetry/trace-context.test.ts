import { expect, test } from 'vitest'
import { contextIn, newContext, variablesOf } from '../../src/telemetry/trace-context.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

test('a context of the environment is the parent of the next one', () => {
  const parent = contextIn({ TRACEPARENT: `00-${traceId}-${spanId}-01`, TRACESTATE: 'a=1' })
  expect(parent).toEqual({ traceId, spanId, isSampled: true, state: 'a=1' })
  const next = newContext(parent)
  expect(next).toMatchObject({ traceId, isSampled: true, state: 'a=1' })
  expect(next.spanId).toMatch(/^[0-9a-f]{16}$/)
  expect(next.spanId).not.toBe(spanId)
  expect(contextIn(variablesOf(next))).toEqual(next)
})

test('a trace that is not recorded stays so', () => {
  expect(variablesOf(newContext(contextIn({ TRACEPARENT: `00-${traceId}-${spanId}-00` })))['TRACEPARENT']).toMatch(/-00$/)
})

test('a later version may have more parts, and anything else is not a context', () => {
  expect(contextIn({ TRACEPARENT: `01-${traceId}-${spanId}-01-more` })).toMatchObject({ traceId, spanId })
  const zeros = '0'.repeat(32)
  for (const each of [
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${zeros}-${spanId}-01`,
    `00-${traceId}-${zeros.slice(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    'x',
    '',
  ])
    expect(contextIn({ TRACEPARENT: each })).toBeNull()
  expect(contextIn({})).toBeNull()
})

test('a trace without a parent is recorded', () => {
  const first = newContext(null)
  expect(first).toMatchObject({ isSampled: true, state: null })
  expect(variablesOf(first)).toEqual({ TRACEPARENT: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) })
})
