import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type TranscriptEvent, TranscriptReader } from '../../../src/fleet/jobs/transcript-reader.ts'
import type { Job } from '../../../src/fleet/store/job-records.ts'
import { follow } from '../../../src/server/streams/follow-log.ts'
import { type Encoding, pump, streamLimits } from '../../../src/server/streams/pump.ts'
import { transcriptSource } from '../../../src/server/streams/transcript-source.ts'
import { freshDirectory } from '../../support/fresh-directory.ts'

it('a job that ends after the first look and before anybody listens ends its stream', async () => {
  let hasEnded = false
  const transcript = {
    after: async () => [],
    last: async () => 0,
    // Nothing more happens that a listener could be told.
    onGrowth: () => () => undefined,
    hasEnded: () => hasEnded,
  }
  const source = await transcriptSource({ transcript: () => transcript }, { id: 'j' } as Job)
  hasEnded = true
  const steps: unknown[] = []
  for await (const step of follow(source, 0, AbortSignal.timeout(20_000))) steps.push(step)
  expect(steps).toEqual([])
  expect(source.ended).toBe(true)
})

it.each([true, false])(
  'a reader of a job that has ended (%s) and that is beyond its end is reset, and heartbeats have a number',
  async (hasEnded) => {
    const directory = freshDirectory('/tmp/paddock-transcript-')
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const file = path.join(directory, 'transcript.jsonl')
    const write = (n: number): void => appendFileSync(file, `${JSON.stringify({ n, at: 't', type: 'text' })}\n`)
    for (const n of [1, 2]) write(n)
    const reader = new TranscriptReader(file)
    let grown = (): void => undefined
    const transcript = {
      after: (n: number, limit: number) => reader.after(n, limit),
      last: () => reader.last(),
      onGrowth: (listener: () => void) => {
        grown = listener
        return () => undefined
      },
      hasEnded: () => hasEnded,
    }
    const source = await transcriptSource({ transcript: () => transcript }, { id: 'j' } as Job)
    const over = new AbortController()
    const sent: string[] = []
    const encoding: Encoding<TranscriptEvent> = {
      items: (items) => items.map(({ n }) => ({ data: `item ${n}`, items: 1 })),
      reset: (facts) => `reset ${JSON.stringify(facts)}`,
      heartbeat: (facts) => `heartbeat ${JSON.stringify(facts)}`,
    }
    const send = (data: string, taken: () => void): void => {
      sent.push(data)
      taken()
      if (data.startsWith('reset') && !hasEnded) {
        write(3)
        grown()
      }
      if (data === 'item 3') setTimeout(() => over.abort(), 50)
    }
    const limits = { ...streamLimits, heartbeatMs: 20 }
    const end = await pump({ source, after: 99_999, encoding, send, signal: over.signal, limits })
    expect(sent.filter((each) => !each.startsWith('heartbeat'))).toEqual([
      'reset {"first":1,"last":2,"position":2}',
      ...(hasEnded ? [] : ['item 3']),
    ])
    expect(end).toBe(hasEnded ? 'ended' : 'aborted')
    if (!hasEnded) expect(sent.at(-1)).toBe('heartbeat {"last":3,"position":3}')
  },
)
