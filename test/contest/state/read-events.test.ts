import { appendFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { readEvents } from '../../../src/contest/state/read-events.ts'

const event = (message: string) => ({ at: '2026-01-02T03:04:05.678Z', type: 'warning' as const, message })
const line = (message: string): string => `${JSON.stringify(event(message))}\n`

async function contest(): Promise<Layout> {
  const root = await mkdtemp(path.join(tmpdir(), 'read-events-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return new Layout(root)
}

test('calls that continue from each other’s cursor give every event once, in any portions', async () => {
  const layout = await contest()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 1, max: 5 }), async (messages, limit) => {
      await writeFile(layout.events, messages.map(line).join(''))
      const all: unknown[] = []
      for (let after = 0; ; ) {
        const { events, cursor } = await readEvents(layout, { after, limit })
        all.push(...events)
        if (cursor === after) break
        expect(events.length).toBeLessThanOrEqual(limit)
        after = cursor
      }
      expect(all).toEqual(messages.map(event))
    }),
  )
})

test('a line that is still being written comes with a later call', async () => {
  const layout = await contest()
  expect(await readEvents(layout)).toEqual({ events: [], cursor: 0 })
  const [first, second] = [line('one'), line('two')]
  await writeFile(layout.events, first + second.slice(0, 20))
  expect(await readEvents(layout)).toEqual({ events: [event('one')], cursor: first.length })
  await appendFile(layout.events, second.slice(20))
  expect(await readEvents(layout, { after: first.length })).toEqual({ events: [event('two')], cursor: first.length + second.length })
})

test('a cursor behind the end starts over, lines that are not events are left out, and no link is followed', async () => {
  const layout = await contest()
  await writeFile(layout.events, `${line('one')}{"type":"later-version"}\nnoise\n${'x'.repeat(2 ** 20)}\n${line('two')}`)
  const all: unknown[] = []
  for (let after = 1e9, last = -1; after !== last; ) {
    last = after
    const { events, cursor } = await readEvents(layout, { after })
    all.push(...events)
    after = cursor
  }
  expect(all).toEqual([event('one'), event('two')])
  await rm(layout.events)
  await symlink('/etc/passwd', layout.events)
  await expect(readEvents(layout)).rejects.toThrow('ELOOP')
})
