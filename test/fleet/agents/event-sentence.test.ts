import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { eventSentence } from '../../../src/fleet/agents/event-sentence.ts'
import { newestEvent } from '../../../src/fleet/jobs/transcript-reader.ts'

const at = '2026-01-01T00:00:00.000Z'
const root = mkdtempSync('/tmp/paddock-newest-')
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  [{ type: 'tool-call', name: 'Bash', input: { command: 'npm test', timeout: 3 } }, 'Bash: npm test'],
  [{ type: 'tool-call', name: 'shell', input: { command: ['ls', '-l'] } }, 'shell: ls -l'],
  [{ type: 'tool-call', name: 'odd', input: { a: 1 } }, 'odd: {"a":1}'],
  [{ type: 'text', text: '\n\n  The second line.\nThe third.' }, 'The second line.'],
  [{ type: 'text', text: '\u001b]0;title\u0007x' }, '\\u{1b}]0;title\\u{7}x'],
  [{ type: 'text', text: ' \n ' }, null],
  [{ type: 'usage' }, null],
  [{ type: 'tool-result', ok: false }, 'A tool call failed'],
])('%j in a list', (event, sentence) => {
  expect(eventSentence({ at, ...event })).toBe(sentence)
})

test('a sentence is short, whatever an agent says', () => {
  expect(eventSentence({ at, type: 'text', text: 'x'.repeat(1e6) })).toHaveLength(160)
})

describe('the newest event of a transcript', () => {
  const file = path.join(root, 'transcript.jsonl')
  const newest = async (text: string): Promise<unknown> => {
    writeFileSync(file, text)
    return (await newestEvent(file))?.['n'] ?? null
  }
  const line = (n: number, size = 0): string => `${JSON.stringify({ at, type: 'text', n, text: 'x'.repeat(size) })}\n`

  test('is the last whole line', async () => {
    expect(await newest('')).toBeNull()
    expect(await newest('{"half')).toBeNull()
    expect(await newest(line(1))).toBe(1)
    expect(await newest(line(1) + line(2))).toBe(2)
    expect(await newest(`${line(1) + line(2)}{"half`)).toBe(2)
    expect(await newest(line(1, 100_000) + line(2))).toBe(2)
  })

  test('is null if the file is missing or too large to be read for a list', async () => {
    expect(await newest(line(1, 100_000))).toBeNull()
    expect(await newestEvent(path.join(root, 'none'))).toBeNull()
  })
})
