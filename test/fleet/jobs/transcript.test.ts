import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { TranscriptReader } from '../../../src/fleet/jobs/transcript-reader.ts'

test('a transcript that grows is read by number without gaps or repeats, and a torn last line waits', async () => {
  const directory = mkdtempSync('/tmp/paddock-transcript-')
  onTestFinished(() => rmSync(directory, { recursive: true }))
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.boolean(), fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 12 }),
      async (steps) => {
        const file = path.join(directory, `${++count}.jsonl`)
        const reader = new TranscriptReader(file)
        let [written, read, torn] = [0, 0, '']
        for (const [more, isTorn, limit] of steps) {
          let text = torn
          for (let index = 0; index < more; index += 1)
            text += `${JSON.stringify({ n: ++written, at: 't', type: 'text', text: 'é'.repeat(written % 97) })}\n`
          const cut = isTorn && text.length > 3 ? text.length - 3 : text.length
          torn = text.slice(cut)
          appendFileSync(file, text.slice(0, cut))
          if (limit % 2 === 0) expect(await reader.last()).toBe(torn === '' ? written : written - 1)
          const events = await reader.after(read, limit)
          expect(events.map((each) => each.n)).toEqual(events.map((_, index) => read + index + 1))
          read += events.length
        }
        const fresh = new TranscriptReader(file)
        const whole = torn === '' ? written : written - 1
        expect((await fresh.after(Math.max(0, whole - 2), 10)).at(-1)?.n).toBe(whole === 0 ? undefined : whole)
        for (;;) {
          const events = await reader.after(read, 500)
          if (events.length === 0) break
          read += events.length
        }
        expect(read).toBe(whole)
        expect([await reader.last(), await fresh.last()]).toEqual([whole, whole])
      },
    ),
    { numRuns: 60 },
  )
})

test('a transcript that does not exist is empty', async () => {
  expect(await new TranscriptReader('/tmp/paddock-no-such-transcript').after(0, 10)).toEqual([])
  expect(await new TranscriptReader('/tmp/paddock-no-such-transcript').last()).toBe(0)
})
