import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/adapters/output/agent-events.ts'
import { type Line, linesOf, longestLine, transcript } from '../../../src/adapters/output/parse-transcript.ts'
import { noSummary, withEvent } from '../../../src/adapters/output/run-summary.ts'
import { eventsOf, recording } from '../../agents/fixture.ts'
import { newParser } from '../../support/parsers.ts'

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const each of from) list.push(each)
  return list
}

function cutUp(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let start = 0
  for (let turn = 0; start < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(start, start + size))
    start += size
  }
  return chunks
}

const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })

describe('linesOf', () => {
  test('chunks that split characters and lines anywhere change nothing', async () => {
    const text = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\n\r]/g, ' ')))
    await fc.assert(
      fc.asyncProperty(text, sizes, async (lines, cuts) => {
        const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const read = await all(linesOf(Readable.from(cutUp(whole, cuts))))
        expect(read).toEqual(lines.map((line): Line => ({ text: line, cut: false })))
      }),
    )
  })

  test('a last line without a newline, CRLF, and bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('a\r\n\r\n'), Buffer.from([0xff, 0xfe, 10]), Buffer.from('end')])
    expect((await all(linesOf(Readable.from([bytes])))).map((line) => line.text)).toEqual(['a', '', '\ufffd\ufffd', 'end'])
  })

  test('a line that is too long is cut, and the next one is whole', async () => {
    const chunks = ['x'.repeat(30), 'y'.repeat(30), '\nnext\n', 'z'.repeat(11)]
    expect(await all(linesOf(Readable.from(chunks), 10))).toEqual([
      { text: 'x'.repeat(10), cut: true },
      { text: 'next', cut: false },
      { text: 'z'.repeat(10), cut: true },
    ])
  })

  test('memory is bounded for a line without an end', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 120)
    async function* endless(): AsyncGenerator<Buffer> {
      for (let count = 0; count < 64; count++) yield chunk
    }
    const read = await all(linesOf(endless()))
    expect(read.map((line) => [line.text.length, line.cut])).toEqual([[longestLine, true]])
  })

  test('a stream that breaks ends the lines', async () => {
    async function* breaking(): AsyncGenerator<Buffer> {
      yield Buffer.from('one\ntw')
      throw new Error('gone')
    }
    expect((await all(linesOf(breaking()))).map((line) => line.text)).toEqual(['one', 'tw'])
  })
})

describe('transcript', () => {
  test('a real run through small chunks gives the same events', async () => {
    const run = recording('claude-ok')
    const chunks = cutUp(Buffer.from(`${run.lines.join('\n')}\n`), [1, 5, 3])
    const events = await all(transcript(Readable.from(chunks), newParser('claude'), Promise.resolve(run.exit)))
    expect(events).toEqual(eventsOf(run))
  })

  test('a line beyond the limit is unknown and the run goes on', async () => {
    const chunks = [
      `{"type":"text","a":"${'x'.repeat(longestLine)}"}\n`,
      '{"type":"thread.started"}\n',
      '{"type":"turn.completed","usage":{}}\n',
    ]
    const events = await all(transcript(Readable.from(chunks), newParser('codex'), Promise.resolve({ code: 0, stderr: '' })))
    expect(events.map((event) => event.type)).toEqual(['unknown', 'usage', 'result'])
    expect(JSON.stringify(events[0]).length).toBeLessThan(100_000)
  })
})

describe('the summary', () => {
  const sum = (...events: readonly AgentEvent[]) => events.reduce(withEvent, noSummary)

  test('a final limit is not replaced by one that was waited for', () => {
    const limit = (message: string, final: boolean): AgentEvent => ({ type: 'rate-limit', message, resetsAt: null, final })
    expect(sum(limit('a', false), limit('b', true), limit('c', false)).rateLimit?.message).toBe('b')
  })

  test('a good end forgives what was tried again', () => {
    const summary = sum({ type: 'login-needed', message: '401' }, { type: 'result', ok: true, text: 'done' })
    expect(summary).toMatchObject({ ok: true, loginNeeded: null, resultText: 'done' })
  })

  test('errors are bounded', () => {
    const many = Array.from({ length: 100 }, (_, index): AgentEvent => ({ type: 'error', message: String(index) }))
    expect(sum(...many).errors).toHaveLength(20)
    expect(sum(...many).errors.at(-1)).toBe('99')
  })
})
