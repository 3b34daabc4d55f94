import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { longestText } from '../../../src/fleet/host-process/cut-event.ts'
import { openTranscript } from '../../../src/fleet/host-process/transcript-writer.ts'
import { writtenEvents } from '../../../src/fleet/host-process/written-events.ts'
import { temporary } from '../../support/temporary.ts'

const now = (): Date => new Date('2026-11-23T10:00:00Z')

async function written(
  events: readonly { readonly type: string }[],
  limits?: { readonly events: number; readonly bytes: number },
): Promise<{ readonly lines: readonly Record<string, unknown>[]; readonly last: number }> {
  await using at = await temporary()
  const file = at.at('transcript.jsonl')
  {
    await using transcript = await openTranscript(file, { now, ...(limits === undefined ? {} : { limits }) })
    for (const each of events) await transcript.add(each)
  }
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1)
  return { lines: lines.map((each) => JSON.parse(each) as Record<string, unknown>), last: await writtenEvents(file) }
}
const text = (of: string) => ({ type: 'text', text: of })

test('events are numbered from 1 without gaps, and end with one that says what is missing', async () => {
  const some = await written([text('a'), text('b')])
  expect(some.lines).toEqual([
    { n: 1, at: '2026-11-23T10:00:00.000Z', type: 'text', text: 'a' },
    { n: 2, at: '2026-11-23T10:00:00.000Z', type: 'text', text: 'b' },
  ])
  const many = Array.from({ length: 10 }, (_, index) => text(String(index)))
  const byCount = await written(many, { events: 4, bytes: 1e6 })
  expect(byCount.lines.map(({ n, type }) => [n, type])).toEqual([
    [1, 'text'],
    [2, 'text'],
    [3, 'text'],
    [4, 'truncated'],
  ])
  const bySize = await written([text('x'.repeat(600)), text('x'.repeat(600)), text('')], { events: 100, bytes: 1000 })
  expect(bySize.lines.map(({ n, type }) => [n, type])).toEqual([
    [1, 'text'],
    [2, 'truncated'],
  ])
  expect([some.last, byCount.last, bySize.last]).toEqual([2, 4, 2])
})

test('long texts are cut wherever they are in an event, and the event says so', async () => {
  const long = 'é'.repeat(longestText + 1)
  const input = { path: 'file', edits: [{ content: long }] }
  const deep = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) as unknown
  const all = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [index, long]))
  const events = [
    { type: 'tool-call', input },
    { type: 'tool-call', input: deep },
    { type: 'tool-call', input: all },
  ]
  const { lines, last } = await written(events)
  expect(lines[0]).toMatchObject({ input: { path: 'file' }, cut: [`input.edits.0.content: ${longestText + 1} characters`] })
  expect((lines[0] as unknown as { input: typeof input }).input.edits[0]?.content).toHaveLength(longestText)
  expect(lines[1]).toMatchObject({ cut: [expect.stringContaining('nested too deep')] })
  expect(lines[2]).toEqual({ n: 3, at: expect.any(String), type: 'tool-call', cut: [expect.stringMatching(/^the event, of \d+ bytes$/)] })
  expect(last).toBe(3)
})
