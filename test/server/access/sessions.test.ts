import { expect, test } from 'vitest'
import { KeptSessions, sessionMs } from '../../../src/server/access/page-sessions.ts'
import { openTestStore } from '../../support/fleet-store.ts'

test('a session outlives the server for as long as it lasts, and one that was ended does not', async () => {
  using store = await openTestStore()
  let now = 1_000_000
  const clock = { monotonic: () => now, wall: () => now }
  const first = new KeptSessions(clock, store.sessions)
  const [stays, ends] = [first.start({ role: 'viewer', name: 'phone' }), first.start({ role: 'owner', name: null })]
  first.end(ends.session.id)
  now += sessionMs / 2
  const next = new KeptSessions(clock, store.sessions)
  expect(next.check(stays.cookie, stays.half)).toEqual({ id: stays.session.id, role: 'viewer', name: 'phone', token: null })
  expect([next.check(stays.cookie, ends.half), next.check(ends.cookie, ends.half)]).toEqual([null, null])
  now += sessionMs / 2
  expect(next.check(stays.cookie, stays.half)).toBeNull()
  expect(store.sessions.all()).toEqual([])
})

test('a wall clock that was set back lets no kept session last longer than a new one, and its secrets are not kept', async () => {
  using store = await openTestStore()
  let [wall, monotonic] = [10 * sessionMs, 0]
  const clock = { monotonic: () => monotonic, wall: () => wall }
  const { cookie, half } = new KeptSessions(clock, store.sessions).start({ role: 'owner', name: null })
  expect(JSON.stringify(store.sessions.all())).not.toMatch(new RegExp(`${cookie}|${half}`))
  wall = sessionMs
  const next = new KeptSessions(clock, store.sessions)
  monotonic += sessionMs - 1
  expect(next.check(cookie, half)).not.toBeNull()
  monotonic += 1
  expect(next.check(cookie, half)).toBeNull()
})
