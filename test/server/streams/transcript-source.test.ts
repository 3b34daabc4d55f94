import { expect, it } from 'vitest'
import type { Job } from '../../../src/fleet/queue/queue.ts'
import { follow } from '../../../src/server/streams/follow.ts'
import { transcriptSource } from '../../../src/server/streams/transcript-source.ts'

it('a job that ends after the first look and before anybody listens ends its stream', async () => {
  let hasEnded = false
  const transcript = {
    after: async () => [],
    // Nothing more happens that a listener could be told.
    onGrowth: () => () => undefined,
    hasEnded: async () => hasEnded,
  }
  const source = await transcriptSource({ transcript: () => transcript }, { id: 'j' } as Job)
  hasEnded = true
  const steps: unknown[] = []
  for await (const step of follow(source, 0, AbortSignal.timeout(20_000))) steps.push(step)
  expect(steps).toEqual([])
  expect(source.ended).toBe(true)
})
