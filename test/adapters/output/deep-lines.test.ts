import { expect, test } from 'vitest'
import { jsonObject } from '../../../src/adapters/output/output-lines.ts'
import { newParser } from '../../support/parsers.ts'

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('a line that is nested very deep gives an event that can be written', () => {
  const input = nested(20_000)
  const line = `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":${input}}]}}`
  const events = newParser('claude').line(line)
  expect(events.map(({ type }) => type)).toContain('tool-call')
  expect(JSON.stringify(events)).toContain('[nested too deep]')
})

test('ordinary lines are kept as they are', () => {
  const line = `{"x":${nested(90)},"list":[1,[2,{"y":null}]]}`
  expect(jsonObject(line)).toEqual(JSON.parse(line))
})
