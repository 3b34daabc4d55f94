import { expect, test } from 'vitest'
import { Calls } from '../../../src/fleet/host-process/calls.ts'
import { maxFrame } from '../../../src/fleet/host-process/host-protocol.ts'

const ask = (question: string) => ({ type: 'ask', question, expiresAt: '2999-01-01T00:00:00Z' }) as const

test('waiting calls are bounded in number and size, so that a server that connects can take all of them', async () => {
  const calls = new Calls(() => undefined)
  const stop = new AbortController()
  const waiting: Promise<unknown>[] = []
  const make = (question: string) => calls.make('j-1', ask(question), stop.signal)
  // JSON writes each of these characters as six.
  for (let made = 0; made < 200; made++) waiting.push(make('\u0001'.repeat(8_000)).catch(() => undefined))
  await expect(make('\u0001'.repeat(8_000))).resolves.toMatchObject({
    ok: false,
    text: 'Too many calls of this agent wait for an answer already.',
  })
  expect(Buffer.byteLength(JSON.stringify(calls.open))).toBeLessThan(maxFrame + 1_000)
  const few = new Calls(() => undefined)
  for (let made = 0; made < 256; made++) waiting.push(few.make('j-1', ask('x'), stop.signal).catch(() => undefined))
  await expect(few.make('j-1', ask('x'), stop.signal)).resolves.toMatchObject({ ok: false })
  few.answer({ type: 'answer', job: 'j-1', call: '1', ok: true, text: 'yes' })
  await waiting[200]
  const next = few.make('j-1', ask('again'), stop.signal).catch(() => 'ended')
  expect(few.open).toHaveLength(256)
  stop.abort(new Error('over'))
  expect(await next).toBe('ended')
  await Promise.all(waiting)
  expect([calls.open, few.open]).toEqual([[], []])
})
