import { expect, test } from 'vitest'
import { transcript } from '../../../src/adapters/output/parse-transcript.ts'
import { newParser } from '../../support/parsers.ts'

test('the end of a rate limit that no date can have is not known', async () => {
  const line = (resetsAt: number): string => `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":${resetsAt}}}\n`
  async function* output(): AsyncGenerator<string> {
    yield line(1e300) + line(1_900_000_000)
  }
  const ended = Promise.resolve({ code: 1, stderr: '' })
  const times: (number | null)[] = []
  for await (const event of transcript(output(), newParser('claude'), ended)) if (event.type === 'rate-limit') times.push(event.resetsAt)
  expect(times.slice(0, 2)).toEqual([null, 1_900_000_000_000])
})
