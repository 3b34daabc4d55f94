import { expect, test } from 'vitest'
import { RuleThread } from '../../src/credentials/scan/secret-rules.ts'

test('a thread that starts too late for its first text searches it all the same', async () => {
  await using thread = new RuleThread(60_000, 0)
  const text = `key = "sk-ant-api03-${'a'.repeat(93)}AA"`
  expect(await thread.hits('settings.py', text, 60_000)).toEqual([expect.objectContaining({ start: 7 })])
  expect(await thread.hits('Makefile', 'all:\n', 60_000)).toEqual([])
})
