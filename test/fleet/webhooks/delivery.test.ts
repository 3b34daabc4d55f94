import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSigned } from '../../../src/fleet/hooks/signature.ts'
import { deliveryOf } from '../../../src/fleet/webhooks/delivery.ts'

const event = { id: 7, at: '2026-03-02T09:00:00.250Z', kind: 'job.ended', agent: 'a-1', job: 'j-1', data: { state: 'done' } }
const signedBy = (secret: string, now: number) => {
  const { headers, body } = deliveryOf(event, secret, now)
  return { time: headers['x-paddock-time'] ?? '', signature: headers['x-paddock-signature'] ?? '', body }
}

test('the body holds the event and nothing else', () => {
  const withMore = { ...event, prompt: 'do not send this' }
  expect(JSON.parse(Buffer.from(deliveryOf(withMore, 'x', 0).body).toString())).toEqual({ schemaVersion: 1, event })
})

test('a hook takes a delivery for its own whenever it is sent, and on a clock that is three minutes ahead or behind', () => {
  const begin = Date.parse(event.at)
  fc.assert(
    fc.property(fc.integer({ min: -86_400_000, max: 30 * 86_400_000 }), fc.integer({ min: -179_000, max: 179_000 }), (later, skew) => {
      const now = begin + later
      const delivery = signedBy('secret', now)
      expect(isSigned('secret', delivery, now + skew)).toBe(true)
      expect(isSigned('other', delivery, now)).toBe(false)
    }),
  )
})

test('a retry within two minutes of the event is the same delivery; a later one is signed again', () => {
  const begin = Date.parse(event.at)
  const first = signedBy('secret', begin + 10)
  expect(signedBy('secret', begin + 119_000)).toEqual(first)
  expect(signedBy('secret', begin + 121_000).signature).not.toBe(first.signature)
})
